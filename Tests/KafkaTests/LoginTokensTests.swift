import CRDKafka
import Delivery
import Synchronization
import Testing

@testable import Kafka

@Suite struct `Tokens that clients log in with` {
    /// What a client asked for, and its tokens.
    private final class Demands: Sendable {
        private let kept = Mutex<[LoginTokens.Demand]>([])

        var count: Int { kept.withLock { $0.count } }
        var rejections: Int { kept.withLock { $0.count { $0 == .rejected } } }
        func add(_ demand: LoginTokens.Demand) { kept.withLock { $0.append(demand) } }
    }

    private func properties(_ tokens: LoginTokens) -> KafkaProperties {
        var properties: KafkaProperties = [
            "bootstrap.servers": "127.0.0.1:1", "security.protocol": "sasl_plaintext",
            "sasl.mechanism": "OAUTHBEARER",
        ]
        properties.tokens = tokens
        return properties
    }

    private static let future: Int64 = 4_000_000_000_000

    @Test func `are asked for by each kind of client, and given to those that exist`() throws {
        let demands = Demands()
        let tokens = LoginTokens { demands.add($0) }
        #expect(!tokens.isUsed)
        var producer = try Producer(properties: properties(tokens))
        var consumer = try Consumer(
            properties: properties(tokens), group: "g", topics: ["t"], start: .earliest)
        #expect(demands.count >= 2)
        #expect(tokens.isUsed)
        let token = LoginToken(
            value: "t", expires: Self.future,
            extensions: [KafkaProperties.Property(name: "logicalCluster", value: "lkc-1")])
        #expect(tokens.renew(token) == nil)
        let old = LoginToken(value: "t", expires: 1)
        #expect(tokens.renew(old)?.contains("expired") == true)
        let wrong = LoginToken(
            value: "t", expires: Self.future,
            extensions: [KafkaProperties.Property(name: "auth", value: "x")])
        #expect(tokens.renew(wrong) != nil)
        producer.close()
        consumer.close()
        _ = consume producer
        _ = consume consumer
        #expect(!tokens.isUsed)
        // Nobody is left to be notified.
        #expect(tokens.renew(token) == nil)
        tokens.fail("no such client")
    }

    @Test func `whose absence is reported to the owner of a client`() throws {
        let tokens = LoginTokens { _ in }
        var producer = try Producer(properties: properties(tokens))
        tokens.fail("the server says no")
        let end = ContinuousClock.now + .seconds(20)
        var failure: KafkaFailure?
        while failure == nil, ContinuousClock.now < end {
            producer.acknowledgements { _, _ in }
            failure = producer.nextFailure()
        }
        #expect(failure?.code == "_AUTHENTICATION")
        #expect(failure?.detail.contains("the server says no") == true)
    }

    @Test func `are not to blame when a connection breaks during a login`() throws {
        let demands = Demands()
        let tokens = LoginTokens { demands.add($0) }
        let properties = properties(tokens)
        let client = try Client(
            RD_KAFKA_PRODUCER, .producer(properties), "test", tokens: tokens)
        let reason =
            "GroupCoordinator: SASL OAUTHBEARER mechanism handshake failed: Local: Broker transport"
            + " failure: broker's supported mechanisms: (n/a) (after 0ms in state DOWN)"
        // The library asks for a token at any time, on a thread of its own.
        let count = demands.rejections
        #expect(client.failure(RD_KAFKA_RESP_ERR__AUTHENTICATION, reason).isAboutConnection)
        #expect(demands.rejections == count)
        #expect(client.failure(RD_KAFKA_RESP_ERR__AUTHENTICATION, "no").code == "_AUTHENTICATION")
        #expect(demands.rejections == count + 1)
    }

    @Test func `are part of what properties are compared by`() {
        let (one, other) = (LoginTokens { _ in }, LoginTokens { _ in })
        #expect(properties(one) == properties(one))
        #expect(properties(one) != properties(other))
    }
}
