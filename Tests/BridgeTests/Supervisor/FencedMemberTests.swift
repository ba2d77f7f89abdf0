import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Bridge

@Suite struct `What to do about a worker that ended` {
    private func remedy(_ failure: KafkaFailure, instance: String?) throws -> String {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        if let instance { connector.kafka.append(("group.instance.id", instance)) }
        return failure.remedyOfWorker(of: connector)
    }

    @Test(arguments: [
        KafkaFailure(code: "FENCED_INSTANCE_ID", detail: "scripted", isFatal: true),
        KafkaFailure(
            code: "_FATAL", detail: "Fatal consumer error: Broker: Static consumer fenced by other"
                + " consumer with same group.instance.id", isFatal: true),
    ])
    func `names the other process that uses its name`(failure: KafkaFailure) throws {
        let remedy = try remedy(failure, instance: "pod-0")
        #expect(remedy.hasPrefix("another process uses the name 'pod-0' in the group '"))
        #expect(remedy.hasSuffix("a group.instance.id of its own, or stop the other one"))
    }

    @Test func `is to wait for anything else`() throws {
        let failure = KafkaFailure(code: "_FATAL", detail: "scripted", isFatal: true)
        #expect(try remedy(failure, instance: "pod-0").hasPrefix("nothing is lost"))
        let fenced = KafkaFailure(code: "FENCED_INSTANCE_ID", detail: "x", isFatal: true)
        #expect(try remedy(fenced, instance: nil).hasPrefix("nothing is lost"))
    }
}
