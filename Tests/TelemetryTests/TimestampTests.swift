import Telemetry
import Testing

@Suite struct `A timestamp` {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (-1000, "1969-12-31T23:59:59.000Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
    func `is written as RFC 3339 does`(milliseconds: Int64, text: String) {
        #expect(Timestamp.text(milliseconds: milliseconds) == text)
    }

    @Test func `of now lies in this age`() {
        #expect(Timestamp.now() > 1_700_000_000_000)
    }
}
