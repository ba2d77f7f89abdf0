import Delivery
import Testing

@Suite struct `A retry policy` {
    @Test func `never waits longer than its longest wait`() {
        let policy = RetryPolicy(first: 500, factor: 2, longest: 5000)
        let ceilings = (1...6).map { policy.ceiling(afterAttempts: $0) }
        #expect(ceilings == [500, 1000, 2000, 4000, 5000, 5000])
        #expect(policy.ceiling(afterAttempts: 10_000) == 5000)
        for random in [0, 1, 4999, 5000, 5001, UInt64.max] as [UInt64] {
            #expect((0...5000).contains(policy.delay(afterAttempts: 9, random: random)))
        }
    }

    @Test func `spreads its waits from nothing to the most`() {
        let policy = RetryPolicy(first: 500, factor: 2, longest: 5000)
        #expect(policy.delay(afterAttempts: 1, random: 0) == 0)
        #expect(policy.delay(afterAttempts: 1, random: 500) == 500)
    }
}

@Suite struct `An in-flight window` {
    @Test func `has no room when its bytes are used up`() {
        var window = InFlightWindow(maxRecords: 10, maxBytes: 100)
        #expect(window.room == 10)
        window.open(bytes: 150)
        #expect(window.room == 0)
        window.close(bytes: 150)
        #expect(window.room == 10)
    }

    @Test func `has no room when its records are used up`() {
        var window = InFlightWindow(maxRecords: 2, maxBytes: 100)
        window.open(bytes: 1)
        window.open(bytes: 1)
        #expect(window.room == 0)
        window.close(bytes: 1)
        #expect(window.room == 1)
    }
}

@Suite struct `A time as text` {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_767_276_000_123, "2026-01-01T14:00:00.123Z"),
        (951_827_696_007, "2000-02-29T12:34:56.007Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ] as [(Int64, String)])
    func `is RFC 3339 in UTC with milliseconds`(milliseconds: Int64, text: String) {
        #expect(Timestamp.text(milliseconds: milliseconds) == text)
    }

    @Test func `is the same from a writer that remembers the last date`() throws {
        var writer = TimestampWriter()
        let times: [Int64] = [
            5, 999, 1000, 86_399_999, 86_400_000, 951_827_696_007, 1_767_276_000_123, 0,
            4_107_542_399_999, 253_402_300_799_999,
        ]
        for milliseconds in times {
            let found = writer.characters(milliseconds: milliseconds)
            let words = try #require(found)
            let text = [words.0, words.1, words.2].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
            }
            let expected = Timestamp.text(milliseconds: milliseconds)
            #expect(String(decoding: text, as: UTF8.self) == expected)
        }
    }

    @Test(arguments: [-1, -86_400_000, .min, 253_402_300_800_000, .max] as [Int64])
    func `has no 24 characters outside of the calendar`(milliseconds: Int64) {
        var writer = TimestampWriter()
        let found = writer.characters(milliseconds: milliseconds)
        #expect(found == nil)
    }
}
