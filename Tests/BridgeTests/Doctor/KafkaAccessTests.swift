import Delivery
import Kafka
import Testing

@testable import Bridge

@Suite struct `The advice of doctor about Kafka` {
    private let access = KafkaAccess(
        properties: ["bootstrap.servers": "kafka:9092"], timeout: 100,
        report: DoctorReport(of: "orders") { _ in })

    private static let leaders =
        "look at the load of the brokers, and at the leaders of its partitions: kafka-topics.sh"
        + " --bootstrap-server kafka:9092 --describe --topic orders"
    private static let brokers =
        "check that all brokers run, and that their advertised.listeners can be reached from here"
    private static let topic =
        "inspect the topic: kafka-topics.sh --bootstrap-server kafka:9092 --describe --topic orders"

    @Test(arguments: [
        ("TOPIC_AUTHORIZATION_FAILED", "grant READ on the topic: kafka-acls.sh --add"),
        ("_TIMED_OUT", Self.leaders), ("REQUEST_TIMED_OUT", Self.leaders),
        ("_TRANSPORT", Self.brokers), ("KAFKA_STORAGE_ERROR", Self.topic),
    ])
    func `names READ only if that right is missing`(code: String, advice: String) {
        let failure = KafkaFailure(code: code, detail: "no")
        #expect(access.remedyForReading(failure, of: "orders") == advice)
    }

    @Test(arguments: [
        (
            "TOPIC_AUTHORIZATION_FAILED",
            "grant WRITE and DESCRIBE on the topics that are written to, and IDEMPOTENT_WRITE on"
                + " the cluster where brokers are older than 2.8"
        ),
        (
            "_UNSUPPORTED_FEATURE",
            "compare with kafka-acls.sh --list: the user needs WRITE and DESCRIBE on the topics"
                + " that are written to, and IDEMPOTENT_WRITE on the cluster where brokers are"
                + " older than 2.8"
        ),
        ("_TIMED_OUT", Self.leaders), ("_TRANSPORT", Self.brokers),
        ("UNKNOWN_TOPIC_OR_PART", Self.topic),
    ])
    func `grants WRITE only if that right is missing`(code: String, advice: String) {
        let failure = KafkaFailure(code: code, detail: "no")
        #expect(access.remedyForWriting(failure, of: "orders") == advice)
    }

    @Test(arguments: [
        ("TOPIC_AUTHORIZATION_FAILED", "grant DESCRIBE_CONFIGS on the topics"),
        (
            "_TIMED_OUT",
            "Kafka did not respond in time: run 'apns-bridge doctor' again; if it fails again, look"
                + " at the load and the request latency of the brokers"
        ),
        (
            "_TRANSPORT",
            "a broker cannot be reached: check that all brokers run, and the network to them; then"
                + " run 'apns-bridge doctor' again"
        ),
    ])
    func `says why the settings of topics are unknown`(code: String, advice: String) {
        let found = Findings()
        let access = KafkaAccess(
            properties: ["bootstrap.servers": "kafka:9092"], timeout: 100,
            report: DoctorReport(of: "orders") { found.add($0) })
        var description = ClusterDescription(clusterID: "c", topics: [:])
        description.settingsFailure = KafkaFailure(code: code, detail: "no")
        access.examineSettings(description, [], passed: "safe", of: "the topics")
        #expect(found.all.map(\.result) == [.notChecked])
        #expect(found.all.map(\.action) == [advice])
    }
}
