import Delivery
import Testing

@testable import Engine

@Suite struct `A retry record that Kafka rejects` {
    private let failure = KafkaFailure(code: "MSG_TIMED_OUT", detail: "late", isFatal: false)

    @Test func `is not written again if its partition was lost meanwhile`() throws {
        let (harness, retry) = try movedToRetryTopic()
        harness.engine.lost([AssignmentID(0)])
        harness.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(harness.openRecords == 0)
        harness.pass(milliseconds: 10_000)
        #expect(harness.publish().isEmpty)
    }

    @Test func `is logged to wait no longer after its partition was lost`() throws {
        let (harness, retry) = try movedToRetryTopic()
        harness.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(harness.engine.takeNotices().contains { $0.name == "refused" })
        harness.engine.lost([AssignmentID(0)])
        for _ in 0..<61 { harness.pass(milliseconds: 1000) }
        let notice = try #require(harness.engine.takeNotices().last)
        #expect(notice.name == "noneRefused" && notice.refusals?.count == 1)
    }

    @Test func `is not written again once the last commit of its partition has begun`() throws {
        let (harness, retry) = try movedToRetryTopic()
        harness.engine.revoking([AssignmentID(0)])
        harness.pass(milliseconds: 600_000)
        _ = harness.handover(commitsAreDone: true)
        harness.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(harness.openRecords == 0)
        harness.pass(milliseconds: 10_000)
        #expect(harness.publish().isEmpty)
    }
}
