import Testing

@testable import Kafka

@Suite struct `What a consumer counts for its helper` {
    @Test func `wakes the thread for the first record after a rest`() {
        let counts = TakenCounts()
        #expect(counts.note(5, bytes: 50))
        #expect(!counts.note(3, bytes: 30))
        #expect(counts.isBusy && counts.records == 8 && counts.bytes == 80)
        #expect(counts.goIdle(having: 8))
        #expect(!counts.isBusy)
        #expect(counts.note(1, bytes: 1))
    }

    @Test func `keeps the thread awake if something is taken while it decides to rest`() {
        let counts = TakenCounts()
        _ = counts.note(5, bytes: 50)
        let seen = counts.records
        // The owner sees a thread that is awake, and does not ring.
        #expect(!counts.note(1, bytes: 1))
        #expect(!counts.goIdle(having: seen))
        #expect(counts.isBusy)
        #expect(counts.goIdle(having: counts.records))
    }
}
