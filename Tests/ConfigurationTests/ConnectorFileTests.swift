import Configuration
import Delivery
import Encoding
import Foundation
import Kafka
import Testing

@Suite struct `A connector file` {
    @Test func `of any bytes never crashes the loader`() throws {
        let environment = try Example.environment()
        let seed =
            Array(Example.text.utf8)
            + Array(
                "workers: 2\ndelivery: {retry: {first: 1h30m}, max_in_flight_bytes: 64 MB}\n".utf8)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<1000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(index..<min(index + 9, bytes.count))
                case 2: bytes.insert(contentsOf: bytes[index...].prefix(12), at: index)
                default:
                    bytes.insert(
                        contentsOf: Array("${[{\n- :".utf8.shuffled(using: &generator)), at: index)
                }
            }
            for mode in [ConnectorFile.Mode.run, .lint] {
                let result = ConnectorFile.load(
                    bytes: bytes, path: "a.yaml", environment: environment, mode: mode)
                try #require(result.connector != nil || !result.diagnostics.isEmpty)
                _ = Diagnostic.report(result.diagnostics)
            }
        }
    }

    @Test func `that does not exist is reported with the system's reason`() {
        let result = ConnectorFile.load(path: "no/orders.yaml", environment: [:])
        #expect(
            result.diagnostics.map(\.description) == [
                """
                no/orders.yaml: error: cannot be read: no such file or directory
                  name a connector file or a folder of them
                """
            ])
    }

    @Test(arguments: ["", "# nothing\n", "[a]", "text"])
    func `that is empty is rejected with a way to begin`(
        text: String
    ) {
        let result = ConnectorFile.load(bytes: Array(text.utf8), path: "a.yaml", environment: [:])
        let message =
            text.hasPrefix("#") || text.isEmpty
            ? "the file is empty" : "a connector must be a map of keys"
        #expect(
            result.diagnostics.map(\.description) == [
                """
                a.yaml:1:1: error: \(message)
                  start with: source: {topics: [shop.orders], group: apns-orders}
                """
            ])
    }

    @Test func `that is not valid YAML is reported with its line`() throws {
        #expect(
            try Example.load(["  topics": "  topics: [${a}]"]).diagnostics.map(\.description) == [
                """
                orders.yaml:2:12: error: unquoted '${' inside { } or [ ]
                      topics: [${a}]
                               ^~~~
                  quote "${a}" inside { } and [ ]
                """
            ])
    }

    @Test func `whose name is not valid for a connector is rejected`() throws {
        let result = ConnectorFile.load(
            bytes: Array(Example.text.utf8), path: "my orders.yaml",
            environment: try Example.environment())
        #expect(
            result.diagnostics.map(\.message)
                == [
                    "the connector takes its name from the file, and 'my orders' is not a valid"
                        + " name"
                ])
    }

    @Test func `with only the required keys has the documented defaults`() throws {
        let connector = try #require(try Example.load().connector)
        #expect(connector.name == "orders")
        #expect(connector.source == SourceSettings(topics: ["shop.orders"], group: "apns-orders"))
        #expect(connector.kafka.map(\.name) == ["bootstrap.servers"])
        #expect(connector.apns.apps.first?.endpoint == .apple(.production))
        #expect(connector.apns.connections == 2...16)
        #expect(
            connector.results
                == ResultsSettings(
                    outcomes: "apns.outcomes", unregistered: "apns.unregistered",
                    deadLetter: "apns.dead-letter"))
        #expect(connector.delivery == DeliverySettings())
        #expect(connector.workers == 1)
        #expect(connector.shutdownDeadline == .seconds(25))
        #expect(connector.startupDeadline == .seconds(60))
    }

    @Test func `with every key is read completely`() throws {
        let more = """
              device_token: hashed
              filtered: true
              retry: apns.retry
            delivery:
              ordering: none
              max_in_flight: 10
              max_in_flight_bytes: 2 MiB
              max_waiting: 20
              max_waiting_bytes: 3 MiB
              rate: {per_app: 2000/s, per_device: 30/m, adaptive: true}
              request_timeout: 5s
              revoke_deadline: 1500ms
              in_doubt: resend
              supersede: none
              retry: {first: 1s, factor: 1.5, longest: 1h30m, max_attempts: 3, give_up_after: 7d}
            guard: {share: 0.5, minimum: 1000, window: 10m}
            workers: 64
            shutdown_deadline: 1m
            startup_deadline: 2m
            """
        var connector = try #require(
            try Example.load(
                ["  environment": "  environment: development\n  endpoint: https://[::1]:2197/"],
                adding: more
            ).connector)
        #expect(
            connector.apns.apps.first?.endpoint
                == EndpointSettings(host: "::1", port: 2197, trustRoots: .system, isCustom: true))
        #expect(connector.apns.apps.first?.environment == .development)
        #expect(connector.results.deviceTokens == .hashed)
        #expect(connector.results.reportsFiltered)
        #expect(connector.results.retry == "apns.retry")
        #expect(connector.delivery.supersede == .none)
        connector.delivery.supersede = .retries
        #expect(
            connector.delivery
                == DeliverySettings(
                    ordering: .none, maxInFlight: 10, maxInFlightBytes: 2_097_152,
                    maxWaiting: 20, maxWaitingBytes: 3_145_728,
                    requestTimeout: .seconds(5),
                    revokeDeadline: .milliseconds(1500), inDoubt: .resend,
                    rate: RateSettings(
                        perApp: PushRate(2000, per: .seconds(1)),
                        perDevice: PushRate(30, per: .seconds(60)), isAdaptive: true),
                    retry: RetryPolicy(
                        first: .seconds(1), factor: 1.5,
                        maximum: .seconds(5400), maxAttempts: 3,
                        giveUpAfter: .seconds(604_800))))
        #expect(
            connector.invalidation
                == GuardSettings(share: 0.5, minimum: 1000, window: .seconds(600)))
        #expect(connector.workers == 64)
        #expect(connector.shutdownDeadline == .seconds(60))
        #expect(connector.startupDeadline == .seconds(120))
    }

    @Test func `never shows its secrets when it is printed`() throws {
        let connector = try #require(try Example.load().connector)
        #expect("\(connector)" == "connector orders (orders.yaml)")
        #expect(String(reflecting: connector) == "connector orders (orders.yaml)")
    }
}
