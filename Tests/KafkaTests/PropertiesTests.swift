import Foundation
import Kafka
import Testing

/// A local port that records whether it was connected to.
private final class TokenEndpoint {
    let port: UInt16
    private let socket: Int32

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }

    var wasAsked: Bool { accept(socket, nil, nil) >= 0 }
}

@Suite struct `Kafka properties` {
    @Test func `use the classic protocol of groups unless they name another one`() {
        #expect(KafkaProperties([]).usesClassicGroups)
        #expect(KafkaProperties([("group.protocol", "classic")]).usesClassicGroups)
        #expect(!KafkaProperties([("group.protocol", "consumer")]).usesClassicGroups)
    }

    @Test(arguments: [
        "enable.auto.commit", "enable.auto.offset.store", "group.id", "acks",
        "enable.idempotence", "transactional.id", "dr_msg_cb", "rebalance_cb", "opaque",
        "auto.offset.reset", "plugin.library.paths", "ssl.engine.location",
    ])
    func `are rejected by name if they would break a promise`(name: String) {
        #expect(KafkaProperties.refusal(of: name) != nil)
        #expect(KafkaProperties([(name, "1")]).problems().map(\.name) == [name])
    }

    @Test(arguments: [
        "plugin.library.paths", "ssl.engine.location", "ssl.engine.id",
    ])
    func `are rejected by name if they would load foreign code`(name: String) {
        #expect(KafkaProperties.refusal(of: name)?.hasPrefix("loads external code") == true)
        #expect(KafkaProperties([(name, "libfoo")]).problems().map(\.name) == [name])
    }

    @Test func `accept only OpenSSL's own providers`() {
        #expect(KafkaProperties.refusal(of: "ssl.providers", value: "default, legacy") == nil)
        #expect(
            KafkaProperties.refusal(of: "ssl.providers", value: "default,../evil")
                == "loads external code, the provider '../evil': write default, legacy or fips"
        )
    }

    @Test func `are validated without running the command that they name`() throws {
        let proof = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let properties = KafkaProperties([
            ("bootstrap.servers", "localhost:9"), ("security.protocol", "sasl_plaintext"),
            ("sasl.mechanisms", "GSSAPI"), ("sasl.kerberos.kinit.cmd", "touch '\(proof.path)'"),
        ])
        #expect(properties.problems() == [])
        #expect(!FileManager.default.fileExists(atPath: proof.path))
    }

    /// Not every build of the library can ask a token endpoint.
    private static var knowsTokenEndpoints: Bool {
        KafkaProperties([("sasl.oauthbearer.method", "oidc")]).problems().allSatisfy {
            !$0.message.contains("not supported in this build")
        }
    }

    @Test(.enabled(if: knowsTokenEndpoints, "needs a librdkafka that is built with libcurl"))
    func `are validated without a request to the token endpoint that they name`() throws {
        let listener = try TokenEndpoint()
        let properties = KafkaProperties([
            ("bootstrap.servers", "localhost:9"), ("security.protocol", "sasl_plaintext"),
            ("sasl.mechanisms", "OAUTHBEARER"), ("sasl.oauthbearer.method", "oidc"),
            ("sasl.oauthbearer.client.id", "a"), ("sasl.oauthbearer.client.secret", "b"),
            ("sasl.oauthbearer.token.endpoint.url", "http://127.0.0.1:\(listener.port)/token"),
        ])
        #expect(properties.problems() == [])
        #expect(!listener.wasAsked)
    }

    @Test func `are rejected by value if only some values would break a promise`() {
        let name = "partition.assignment.strategy"
        #expect(KafkaProperties.refusal(of: name) == nil)
        #expect(KafkaProperties.refusal(of: name, value: "cooperative-sticky") == nil)
        #expect(KafkaProperties.refusal(of: name, value: "range,roundrobin") != nil)
    }

    @Test func `are all validated in one go, in librdkafka's words`() {
        let problems = KafkaProperties([
            ("bootstrap.servers", "localhost:9092"), ("compresion.codec", "lz4"),
            ("linger.ms", "soon"), ("acks", "1"),
        ]).problems()
        #expect(problems.map(\.name) == ["compresion.codec", "linger.ms", "acks"])
        #expect(problems[0].message == "No such configuration property: \"compresion.codec\"")
        #expect(problems[1].message.contains("linger.ms"))
    }

    @Test func `are also validated in combination`() {
        let problems = KafkaProperties([
            ("bootstrap.servers", "localhost:9092"), ("security.protocol", "ssl"),
            ("ssl.ca.location", "/nowhere/ca.pem"),
        ]).problems()
        #expect(problems.map(\.name) == ["ssl.ca.location"])
        #expect(problems.first?.message.contains("/nowhere/ca.pem") == true)
    }

    @Test func `run no command while they are validated`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let properties: KafkaProperties = [
            "bootstrap.servers": "localhost:9092", "security.protocol": "sasl_plaintext",
            "sasl.mechanism": "GSSAPI", "sasl.kerberos.keytab": "/nowhere",
            "sasl.kerberos.kinit.cmd": "touch \(file.path)",
        ]
        // A command would run at once, before the client is created.
        _ = properties.problems()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `pass if nothing is wrong with them`() {
        let properties: KafkaProperties = [
            "bootstrap.servers": "localhost:9092", "linger.ms": "0",
            "session.timeout.ms": "45000", "compression.type": "zstd",
        ]
        #expect(properties.problems() == [])
    }
}
