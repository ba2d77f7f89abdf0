import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// A worker that replays a dead letter.
private struct Replaying {
    let harness: EngineHarness
    let letter: ResultRecord
    static let partition = AssignmentID(200)

    /// Lets APNs reject a push, and hands its dead letter back as a record of the replay topic.
    init(
        leavingOut left: String? = nil, index: String? = nil, replays: String = "1",
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws {
        let writer = try EngineHarness { tweak(&$0) }
        writer.assign()
        writer.take(Samples.event("aa"), offset: 7, key: "ada")
        try writer.sendAndRespond(400, "BadTopic")
        let letter = try #require(writer.settle().deadLetters.first)
        var headers = letter.record.headers.filter { !$0.name.hasPrefix("apns-bridge-") }
        let originHeaders = ["topic", "partition", "offset", "timestamp"].compactMap { name in
            letter.header("apns-bridge-" + name).map {
                (name: name, value: [UInt8]?(Array($0.utf8)))
            }
        }
        headers += RetryRecord.replayHeaders(
            id: try #require(letter.header("apns-bridge-apns-id")),
            index: try #require(index ?? letter.header("apns-bridge-index")),
            originHeaders: originHeaders)
        headers.append(("apns-bridge-replays", Array(replays.utf8)))
        if let left { headers.removeAll { $0.name == "apns-bridge-retry-" + left } }
        self.letter = letter.record
        harness = try EngineHarness {
            $0.replayTopic = "apns.replay"
            tweak(&$0)
        }
        harness.engine.assigned([
            AssignedPartition(
                id: Self.partition,
                topicPartition: TopicPartition(topic: "apns.replay", partition: 0), committed: nil,
                metadata: "")
        ])
        harness.engine.take(
            Record.owning(
                assignment: Self.partition,
                topicPartition: TopicPartition(topic: "apns.replay", partition: 0), offset: 40,
                timestamp: EngineHarness.start, key: letter.record.key, value: letter.record.value,
                headers: headers))
    }
}

@Suite struct `A record of the replay topic` {
    @Test func `keeps the apns-id and names the place of its event`() throws {
        let replaying = try Replaying()
        let harness = replaying.harness
        let push = try #require(harness.send())
        let id = replaying.letter.headers.first { $0.name == "apns-bridge-apns-id" }?.value
        #expect(harness.apnsID(push) == id.flatMap { NotificationID($0) })
        harness.respond(push, 200)
        let outcome = try #require(harness.settle().outcomes.first).value
        #expect(outcome.contains(#""topic":"shop.orders","partition":0,"offset":7"#))
        #expect(outcome.contains(#""attempts":1"#))
        #expect(outcome.contains(#""replays":1,"#))
        #expect(harness.next(Replaying.partition) == 41)
    }

    @Test func `counts its replays in the dead letter if it fails again`() throws {
        let harness = try Replaying(replays: "2").harness
        try harness.sendAndRespond(400, "BadTopic")
        let letter = try #require(harness.settle().deadLetters.first)
        #expect(letter.header("apns-bridge-replays") == "2")
        #expect(letter.header("apns-bridge-offset") == "7")
    }

    @Test func `is sent with an ordering, too`() throws {
        let harness = try Replaying { $0.ordering = .device }.harness
        try harness.sendAndRespond(200)
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test(arguments: ["apns-id", "index", "topic", "partition", "offset"])
    func `becomes a dead letter if a header is missing`(name: String) throws {
        let harness = try Replaying(leavingOut: name).harness
        #expect(harness.send() == nil)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""reason":"damaged_retry""#) == true)
        #expect(
            all.deadLetters.first?.header("apns-bridge-detail")
                == "the header apns-bridge-retry-\(name) is missing")
    }
}
