import Delivery
import Testing

@testable import Engine

@Suite struct `A retry record that Kafka rejects` {
    private let failure = KafkaFailure(code: "MSG_TIMED_OUT", detail: "late", isFatal: false)

    @Test func `is not written again if its partition was lost meanwhile`() throws {
        let (desk, retry) = try movedToRetryTopic()
        desk.engine.lost([AssignmentID(0)])
        desk.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(desk.openRecords == 0)
        desk.pass(milliseconds: 10_000)
        #expect(desk.publish().isEmpty)
    }

    @Test func `is logged to wait no longer after its partition was lost`() throws {
        let (desk, retry) = try movedToRetryTopic()
        desk.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(desk.engine.takeNotices().contains { $0.name == "refused" })
        desk.engine.lost([AssignmentID(0)])
        for _ in 0..<61 { desk.pass(milliseconds: 1000) }
        let notice = try #require(desk.engine.takeNotices().last)
        #expect(notice.name == "noneRefused" && notice.refusals?.count == 1)
    }

    @Test func `is not written again once the last commit of its partition has begun`() throws {
        let (desk, retry) = try movedToRetryTopic()
        desk.engine.revoking([AssignmentID(0)])
        desk.pass(milliseconds: 600_000)
        _ = desk.handover(commitsAreDone: true)
        desk.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(desk.openRecords == 0)
        desk.pass(milliseconds: 10_000)
        #expect(desk.publish().isEmpty)
    }
}
