import Delivery
import Testing

@testable import Bridge
@testable import Engine

@Suite struct `A selection of dead letters` {
    private func decision(
        _ headers: [String: String] = [:], timestamp: Int64? = 1000,
        _ change: (inout ReplaySelection) -> Void = { _ in }
    ) -> ReplaySelection.Decision {
        var all = [
            "reason": "BadTopic", "connector": "orders", "index": "0", "topic": "shop.orders",
            "partition": "0", "offset": "7", "apns-id": "11111111-2222-4333-8444-555555555555",
        ]
        for (name, value) in headers { all[name] = value }
        let list = all.map {
            (name: "apns-bridge-" + $0.key, value: [UInt8]?(Array($0.value.utf8)))
        }
        var selection = ReplaySelection()
        change(&selection)
        return selection.decision(
            StoredDeadLetter(headers: list), timestamp: timestamp, of: "orders")
    }

    @Test func `leaves out other connectors, other reasons and earlier times`() {
        #expect(decision(["connector": "other"]) == .foreign)
        #expect(decision { $0.reason = "BadTopic" } == .replay)
        #expect(decision { $0.reason = "MissingTopic" } == .passedOver)
        #expect(decision { $0.since = 1000 } == .replay)
        #expect(decision { $0.since = 1001 } == .passedOver)
    }

    @Test func `leaves out a push that may have arrived, unless it is asked for`() {
        #expect(decision(["reason": "in_doubt"]) == .passedOver)
        #expect(decision(["reason": "in_doubt"]) { $0.reason = "BadTopic" } == .passedOver)
        #expect(decision(["reason": "in_doubt"]) { $0.reason = "in_doubt" } == .replay)
    }

    @Test func `replays an event as often as allowed`() {
        #expect(decision(["replays": "2"]) == .replay)
        #expect(decision(["replays": "3"]) == .tooOften)
        #expect(decision(["replays": "3"]) { $0.maxReplays = 4 } == .replay)
    }

    @Test func `cannot replay what has no value or names no event`() {
        #expect(decision(["value-omitted": "12"]) == .withoutValue)
        #expect(decision(["reason": "damaged_retry"]) == .damaged)
        #expect(decision(["apns-id": "x"]) == .damaged)
        #expect(ReplaySelection().decision(nil, timestamp: nil, of: "orders") == .damaged)
    }
}
