import Testing

@testable import Bridge

@Suite struct `The dead letters that doctor counts` {
    private func rate(
        inTopic: Int64, _ sample: (own: Int64, all: Int64, isComplete: Bool)?, events: Int64 = 100
    ) -> DeadLetterRate {
        DeadLetterRate(
            inTopic: inTopic,
            sample: sample.map { .init(all: $0.all, own: $0.own, isComplete: $0.isComplete) },
            events: events)
    }

    @Test func `are those of the connector alone`() {
        let shared = rate(inTopic: 90, (2, 90, true))
        #expect(!shared.isHigh)
        #expect(
            shared.message == "2 dead letters in the last hour, for 100 events; 88 more in the"
                + " topic are not of this connector")
        let own = rate(inTopic: 6, (6, 6, true))
        #expect(own.isHigh)
        #expect(own.message == "6 dead letters in the last hour, for 100 events")
    }

    @Test func `are records, of which a topic has fewer than offsets`() {
        let rate = rate(inTopic: 8, (1, 2, true), events: 1)
        #expect(
            rate.message == "1 dead letter in the last hour, for 1 event; 1 more in the topic is"
                + " not of this connector")
    }

    @Test func `are estimated from the newest ones where there are many`() {
        let many = rate(inTopic: 30_000, (100, 1000, false), events: 20_000)
        #expect(many.deadLetters == 3000)
        #expect(many.isHigh)
        #expect(
            many.message == "about 3000 dead letters in the last hour, for 20000 events; about"
                + " 27000 more in the topic are not of this connector")
        let own = rate(inTopic: 30_000, (1000, 1000, false), events: 20_000)
        #expect(own.message == "30000 dead letters in the last hour, for 20000 events")
    }

    @Test func `may be those of others where the topic cannot be read`() {
        #expect(
            rate(inTopic: 9, nil).message == "9 dead letters in the last hour, for 100 events; the"
                + " topic could not be read, and other connectors that share it may have written"
                + " some of them")
    }
}
