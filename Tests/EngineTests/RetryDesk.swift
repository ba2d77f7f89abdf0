import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// A worker with a retry topic, and with one waiting record that takes up all room.
func retryHarness(
    tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineHarness {
    let harness = try EngineHarness {
        $0.results.retry = "apns.retry"
        $0.maxWaiting = 1
        $0.results.reportsFiltered = false
        tweak(&$0)
    }
    harness.assign()
    harness.push("ff", offset: 0)
    harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 300)
    return harness
}

/// Such a worker, and the record of a push that it moves to the retry topic.
func movedToRetryTopic(
    _ more: String = "", tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> (EngineHarness, EngineHarness.Published) {
    let harness = try retryHarness(tweak: tweak)
    harness.take(
        Samples.event("aa", more: more), offset: 1, key: "ada",
        headers: [("traceparent", Array("00-1".utf8))])
    harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
    let all = harness.publish()
    #expect(all.count == 1)
    return (harness, try #require(all.retries.first))
}

extension EngineHarness {
    /// Assigns the worker a partition of the retry topic.
    func assignRetry(_ partition: Int32 = 0) -> AssignmentID {
        let id = AssignmentID(100)
        engine.assigned([
            AssignedPartition(
                id: id, topicPartition: TopicPartition(topic: "apns.retry", partition: partition),
                committed: nil, metadata: "")
        ])
        return id
    }

    /// Hands the worker a record that was written to the retry topic.
    func takeBack(
        _ record: ResultRecord, offset: Int64, of id: AssignmentID, writtenAt: Int64? = nil,
        partition: Int32 = 0, isLogAppendTime: Bool = false
    ) {
        engine.take(
            Record.owning(
                assignment: id,
                topicPartition: TopicPartition(topic: "apns.retry", partition: partition),
                offset: offset, timestamp: writtenAt ?? engine.wallClock, key: record.key,
                value: record.value, headers: record.headers, isLogAppendTime: isLogAppendTime))
    }
}

extension [EngineHarness.Published] {
    var retries: Self { filter { $0.ticket.kind == .retry } }
}
