import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// A worker with a retry topic, and with one waiting record that takes up all room.
func retryDesk(
    tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineDesk {
    let desk = try EngineDesk {
        $0.results.retry = "apns.retry"
        $0.maxWaiting = 1
        $0.results.reportsFiltered = false
        tweak(&$0)
    }
    desk.assign()
    desk.push("ff", offset: 0)
    desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 300)
    return desk
}

/// Such a worker, and the record of a push that it moves to the retry topic.
func movedToRetryTopic(
    _ more: String = "", tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> (EngineDesk, EngineDesk.Published) {
    let desk = try retryDesk(tweak: tweak)
    desk.take(
        Samples.event("aa", more: more), offset: 1, key: "ada",
        headers: [("traceparent", Array("00-1".utf8))])
    desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 10)
    let all = desk.publish()
    #expect(all.count == 1)
    return (desk, try #require(all.retries.first))
}

extension EngineDesk {
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

extension [EngineDesk.Published] {
    var retries: Self { filter { $0.ticket.kind == .retry } }
}
