import APNsSimulator
import Foundation
import Testing

@Suite final class `The verb send` {
    private let world: SimulatorWorld
    private let token = String(repeating: "ab", count: 32)

    init() throws {
        world = try SimulatorWorld()
        let connector = """
            source: {topics: [shop.orders], group: apns-orders}
            kafka: {bootstrap.servers: "${env:NO_SUCH_KAFKA}"}
            apns:
              endpoint: https://localhost:\(world.port)
              ca_file: simulator/ca.pem
              environment: production
              key: ${file:simulator/AuthKey.p8}
              key_id: SIMULATOR1
              team_id: SIMULATEAM
              bundle_id: com.example.app
            results: {outcomes: apns.outcomes, unregistered: apns.gone, dead_letter: apns.dead}
            notification:
              device_token: ${token}
              payload: {aps: {alert: {title: "Order ${order.id}"}}}

            """
        try write(connector, to: "orders.yaml")
        try write(#"{"token":"00ff","order":{"id":7741}}"#, to: "event.json")
    }

    deinit { world.remove() }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: world.folder.appending(path: name))
    }

    private func send(_ arguments: String...) throws -> Program.Ending {
        try Program.run(Program.path, ["send", "orders.yaml"] + arguments, in: world.folder)
    }

    @Test func `shows the request and the response, and needs no Kafka`() throws {
        let ending = try send("--token", token, "--alert", "Hello")
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.errors.isEmpty)
        #expect(ending.output.hasPrefix("POST /3/device/\(token)\napns-topic: com.example.app\n"))
        #expect(ending.output.contains(/\n200 accepted after \d+ ms\n/))
        #expect(ending.output.hasSuffix("\n\n1 notification: 1 accepted.\n"))
    }

    @Test func `maps an event, says why APNs rejects it, and exits with 1`() throws {
        let ending = try send("event.json", "--format", "json")
        #expect(ending.code == 1)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        let notification = try #require((json["notifications"] as? [[String: Any]])?.first)
        #expect(notification["verdict"] as? String == "rejected")
        #expect((notification["response"] as? [String: Any])?["status"] as? Int == 400)
        #expect(notification["reaction"] as? String == "suspect")
        #expect(!ending.output.contains("bearer"))
    }

    @Test func `sends nothing in a dry run`() throws {
        let ending = try send("event.json", "--token", token, "--dry-run")
        #expect(ending.code == 0)
        #expect(ending.output.hasPrefix("POST /3/device/\(token)\n"))
        #expect(ending.output.hasSuffix("Would send 1 notification.\n"))
        #expect(world.server.snapshot.answers == 0)
    }

    @Test func `exits with 69 if APNs is away`() throws {
        world.server.stop()
        let ending = try send("--token", token, "--alert", "Hello")
        #expect(ending.code == 69)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("orders.yaml:4:13: error: no connection to APNs at "))
        #expect(ending.errors.hasSuffix("\nNothing was sent.\n"))
    }
}
