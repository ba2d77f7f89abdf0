import Arguments
import Delivery
import Kafka
import Testing

@testable import apns_bridge

@Suite(.serialized) struct `The demonstration` {
    @Test func `fails when an outcome is duplicated`() async {
        let code = await DemoVerb.run { world in
            let properties = world.properties
            let outcomes = try TopicReader(properties: properties).readAll(DemoWorld.outcomes)
            let copied = try #require(outcomes.first)
            var writer = try RecordWriter(properties: properties)
            try writer.write(
                DemoWorld.outcomes, key: copied.key, value: copied.value, headers: copied.headers)
            try writer.flush()
        }
        #expect(code == .failure)
    }

    @Test func `succeeds when every record has its outcome`() async {
        #expect(await DemoVerb.run() == .success)
    }

    @Test func `finds a missing outcome, an unreadable one, and a changed one`() {
        func outcome(_ offset: Int, _ verdict: String) -> StoredRecord {
            let json =
                "{\"verdict\":\"\(verdict)\",\"reason\":null,\"attempts\":1,"
                + "\"source\":{\"topic\":\"t\",\"partition\":0,\"offset\":\(offset)}}"
            return StoredRecord(
                partition: 0, offset: Int64(offset), timestamp: 5, key: nil,
                value: [UInt8](json.utf8), headers: [])
        }
        var evidence = DemoEvidence(
            source: [], outcomes: [], unregistered: [], deadLetters: [], committed: [])
        for offset in 0..<3 { evidence.source.append(outcome(offset, "event")) }
        evidence.outcomes = [outcome(0, "accepted"), outcome(1, "rejected")]
        evidence.outcomes[1].value = [UInt8]("nonsense".utf8)
        let problems = DemoCheck(evidence).problems
        #expect(problems.contains("no outcome for 0/1"))
        #expect(problems.contains("no outcome for 0/2"))
        #expect(problems.contains("unreadable outcome at offset 1"))
    }
}
