import Foundation
import Kafka
import Testing

@Suite struct `Kafka properties` {
    @Test(arguments: [
        "enable.auto.commit", "enable.auto.offset.store", "group.id", "acks",
        "enable.idempotence", "transactional.id", "dr_msg_cb", "rebalance_cb", "opaque",
        "auto.offset.reset", "plugin.library.paths", "ssl.engine.location",
    ])
    func `are refused by name when they would break a promise`(name: String) {
        #expect(KafkaProperties.refusal(of: name) != nil)
        #expect(KafkaProperties([(name, "1")]).problems().map(\.name) == [name])
    }

    @Test func `are refused by value when only some values would break a promise`() {
        let name = "partition.assignment.strategy"
        #expect(KafkaProperties.refusal(of: name) == nil)
        #expect(KafkaProperties.refusal(of: name, value: "cooperative-sticky") == nil)
        #expect(KafkaProperties.refusal(of: name, value: "range,roundrobin") != nil)
    }

    @Test func `are all judged in one go, in librdkafka's words`() {
        let problems = KafkaProperties([
            ("bootstrap.servers", "localhost:9092"), ("compresion.codec", "lz4"),
            ("linger.ms", "soon"), ("acks", "1"),
        ]).problems()
        #expect(problems.map(\.name) == ["compresion.codec", "linger.ms", "acks"])
        #expect(problems[0].message == "No such configuration property: \"compresion.codec\"")
        #expect(problems[1].message.contains("linger.ms"))
    }

    @Test func `are judged together too`() {
        let problems = KafkaProperties([
            ("bootstrap.servers", "localhost:9092"), ("security.protocol", "ssl"),
            ("ssl.ca.location", "/nowhere/ca.pem"),
        ]).problems()
        #expect(problems.map(\.name) == ["ssl.ca.location"])
        #expect(problems.first?.message.contains("/nowhere/ca.pem") == true)
    }

    @Test func `run no command while they are judged`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let properties: KafkaProperties = [
            "bootstrap.servers": "localhost:9092", "security.protocol": "sasl_plaintext",
            "sasl.mechanism": "GSSAPI", "sasl.kerberos.keytab": "/nowhere",
            "sasl.kerberos.kinit.cmd": "touch \(file.path)",
        ]
        // What runs would run at once, before the client is made.
        _ = properties.problems()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `pass when nothing is wrong with them`() {
        let properties: KafkaProperties = [
            "bootstrap.servers": "localhost:9092", "linger.ms": "0",
            "session.timeout.ms": "45000", "compression.type": "zstd",
        ]
        #expect(properties.problems() == [])
    }
}
