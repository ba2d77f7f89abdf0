import Encoding
import Testing

@Suite struct `A time as text` {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (-1000, "1969-12-31T23:59:59.000Z"),
        (1_767_276_000_123, "2026-01-01T14:00:00.123Z"),
        (951_827_696_007, "2000-02-29T12:34:56.007Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
    func `is written as in RFC 3339`(milliseconds: Int64, text: String) {
        #expect(Timestamp.text(milliseconds: milliseconds) == text)
    }

    @Test func `has a date that leads back to its day, before and after 1970`() {
        for days in stride(from: Int64(-800_000), through: 800_000, by: 97) {
            let date = Timestamp.civilDate(days: days)
            #expect(Timestamp.days(year: date.year, month: date.month, day: date.day) == days)
        }
        #expect(Timestamp.days(year: 1970, month: 1, day: 1) == 0)
        #expect(Timestamp.days(year: 2000, month: 2, day: 29) == 11_016)
        #expect(Timestamp.days(year: 0, month: 1, day: 1) == -719_528)
    }

    @Test func `is the same from a writer that remembers the last date`() throws {
        var writer = TimestampWriter()
        let times: [Int64] = [
            5, 999, 1000, 86_399_999, 86_400_000, 951_827_696_007, 1_767_276_000_123, 0, -1,
            4_107_542_399_999, 253_402_300_799_999, -86_400_000, -62_135_596_800_000,
        ]
        for milliseconds in times {
            let found = writer.characters(milliseconds: milliseconds)
            let message = try #require(found)
            let text = [message.0, message.1, message.2].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
            }
            let expected = Timestamp.text(milliseconds: milliseconds)
            #expect(String(decoding: text, as: UTF8.self) == expected)
        }
    }

    @Test(arguments: [-62_135_596_800_001, .min, 253_402_300_800_000, .max] as [Int64])
    func `does not have 24 characters outside of the calendar`(milliseconds: Int64) {
        var writer = TimestampWriter()
        let found = writer.characters(milliseconds: milliseconds)
        #expect(found == nil)
    }
}
