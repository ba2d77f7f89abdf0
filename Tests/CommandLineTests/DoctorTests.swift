import APNsSimulator
import Delivery
import Foundation
import Kafka
import TLS
import Testing

@Suite struct `The verb doctor` {
    private func doctor(
        _ world: BadInputWorld, _ arguments: String...,
        change: (old: String, new: String) = ("", "")
    ) throws -> Program.Ending {
        try world.writeConnector(change.old, change.new)
        let message = ["doctor", "orders.yaml"] + arguments
        return try Program.run(Program.path, message, in: world.folder)
    }

    @Test func `finds nothing that fails where a connector would start`() throws {
        let world = try BadInputWorld()
        let ending = try doctor(world, change: BadInputWorld.namesBundleIDs)
        #expect(ending.code == 0, "\(ending.output)")
        for line in [
            "ok           connector files: 1 connector without a problem",
            "ok           orders: topic \(world.topic): 1 partition",
            "ok           orders: read access \(world.topic): a fetch outside the group succeeded",
            "ok           orders: group \(world.topic)-group: has committed offsets for 0 of 1"
                + " partitions",
            "ok           orders: key \(SimulatorIdentity.defaultKeyID): signs provider tokens for"
                + " team \(SimulatorIdentity.defaultTeamID)",
        ] {
            #expect(ending.output.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
        #expect(ending.output.contains("apns localhost:\(world.port): reachable: HTTP/2"))
        #expect(ending.output.contains("not checked  orders: write access: "))
        #expect(
            ending.output.contains("not checked  orders: group access \(world.topic)-group: "))
        #expect(ending.errors.contains(" checks: 0 failed, "))
    }

    @Test func `sends nothing and commits nothing`() throws {
        let world = try BadInputWorld()
        _ = try doctor(world)
        #expect(world.simulator.snapshot.responses == 0)
        let partition = TopicPartition(topic: world.topic, partition: 0)
        let committed = try CommittedOffsets.read(
            properties: world.properties, group: "\(world.topic)-group", partitions: [partition])
        #expect(committed.allSatisfy { $0.next == nil })
    }

    @Test func `names a missing topic, what creates it, and goes on`() throws {
        let world = try BadInputWorld()
        world.hide("\(world.topic).gone")
        let ending = try doctor(world)
        #expect(ending.code == 1)
        let lines = ending.output.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasPrefix("FAILED") })
        #expect(lines[index].hasSuffix("Kafka has no topic '\(world.topic).gone' (orders.yaml:16)"))
        #expect(lines[index + 1].hasPrefix("             create it: kafka-topics.sh "))
        #expect(lines[index + 1].contains("or run 'apns-bridge create-topics' with this file, or "))
        #expect(ending.output.contains("ok           orders: apns "))
        #expect(ending.errors.contains(" checks: 1 failed, "))
    }

    @Test func `does not call partitions right while the topic of outcomes is missing`() throws {
        let world = try BadInputWorld()
        world.hide("\(world.topic).outcomes")
        let ending = try doctor(world)
        #expect(ending.code == 1)
        let line =
            "not checked  orders: partitions: those of '\(world.topic).outcomes' are not known\n"
        #expect(ending.output.contains(line), "\(ending.output)")
        #expect(!ending.output.contains("ok           orders: partitions"), "\(ending.output)")
    }

    @Test func `goes on to APNs when Kafka is away`() throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.refuses)
        let address = "127.0.0.1:\(peer.port)"
        let ending = try doctor(
            world, change: ("  bootstrap", "  bootstrap.servers: \(address)"))
        #expect(ending.code == 1)
        #expect(ending.output.contains("FAILED       orders: kafka \(address): no connection"))
        #expect(ending.output.contains("not checked  orders: topics: Kafka is not reachable"))
        #expect(ending.output.contains("ok           orders: apns "))
    }

    @Test func `says how to make APNs trusted, and examines Kafka all the same`() throws {
        let world = try BadInputWorld()
        let another = try CertificateAuthority.generate(name: "Another")
        try world.write(another.certificatePEM, to: "ca.pem")
        let ending = try doctor(world)
        #expect(ending.code == 1)
        #expect(ending.output.contains("FAILED       orders: apns localhost:\(world.port): "))
        #expect(ending.output.contains("             set 'ca_file' to the authority that signed"))
        #expect(ending.output.contains("ok           orders: kafka "))
    }

    @Test func `reaches APNs through the proxy of the connector`() throws {
        let world = try BadInputWorld()
        let proxy = try TunnelProxy()
        let endpoint = "  endpoint: https://localhost:\(world.port)"
        let ending = try doctor(
            world,
            change: ("  endpoint", "\(endpoint)\n  proxy: http://127.0.0.1:\(proxy.port)"))
        #expect(ending.code == 0, "\(ending.output)")
        #expect(
            ending.output.contains(
                "ok           orders: apns localhost:\(world.port): reachable, through the"
                    + " proxy: "))
        #expect(proxy.received == ["CONNECT localhost:\(world.port) HTTP/1.1"])
    }

    @Test func `says what to check about a proxy that opens no tunnel`() throws {
        let world = try BadInputWorld()
        let proxy = try WrongPeer(.says("HTTP/1.1 403 Forbidden\r\n\r\n"))
        let endpoint = "  endpoint: https://localhost:\(world.port)"
        let ending = try doctor(
            world,
            change: ("  endpoint", "\(endpoint)\n  proxy: http://127.0.0.1:\(proxy.port)"))
        #expect(ending.code == 1)
        let lines = ending.output.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasPrefix("FAILED") })
        #expect(
            lines[index].contains("the proxy 127.0.0.1:\(proxy.port): it responded 403 Forbidden"))
        #expect(
            lines[index + 1] == "             check 'proxy', and which addresses it allows")
    }

    @Test func `reports a file that cannot be used, and examines the others`() throws {
        let world = try BadInputWorld()
        try world.writeConnector()
        try world.write(Array("source: 1\n".utf8), to: "broken.yaml")
        let ending = try Program.run(
            Program.path, ["doctor", "broken.yaml", "orders.yaml"], in: world.folder)
        #expect(ending.code == 1)
        #expect(ending.output.contains("FAILED       connector file: "))
        #expect(ending.output.contains("(broken.yaml:1)"))
        #expect(ending.output.contains("ok           orders: kafka "))
    }

    @Test func `writes one array of findings for programs`() throws {
        let world = try BadInputWorld()
        let ending = try doctor(world, "--format", "json")
        #expect(ending.code == 0)
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let findings = try #require(parsed as? [[String: Any]])
        let names: Set = ["connector", "check", "result", "detail", "action"]
        #expect(findings.allSatisfy { Set($0.keys) == names })
        let results = Set(findings.compactMap { $0["result"] as? String })
        #expect(results.contains("passed") && results.contains("not_checked"))
        #expect(!results.contains("failed"))
    }

    /// Examines a folder with a connector and this `bridge.yaml`.
    private func doctor(_ settings: String, format: String = "text") throws -> Program.Ending {
        let world = try BadInputWorld()
        try world.writeConnector()
        try world.write(Array("secret\n".utf8), to: "token")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: world.folder.appending(path: "token").path)
        try world.write(Array("\(settings)\n".utf8), to: "bridge.yaml")
        return try Program.run(
            Program.path, ["doctor", "--format", format, "."], in: world.folder)
    }

    @Test func `examines the bridge.yaml of a folder, as run reads it`() throws {
        let ending = try doctor("admin: {listen: '127.0.0.1:0'}")
        #expect(ending.code == 0, "\(ending.output)")
        let lines = ending.output.split(separator: "\n")
        #expect(lines.contains("ok           process settings: ./bridge.yaml without a problem"))
        #expect(lines.contains("ok           admin 127.0.0.1:0: any free port is available"))
    }

    @Test func `reports a token file that others can read, and examines the rest`() throws {
        let ending = try doctor("admin: {listen: '127.0.0.1:0', token_file: token}")
        #expect(ending.code == 1)
        #expect(
            ending.output.contains(
                "FAILED       process settings: other users can read 'token' (./bridge.yaml:1)\n"
                    + "             run: chmod 600 ./token\n"), "\(ending.output)")
        #expect(ending.output.contains("ok           orders: kafka "))
    }

    @Test func `writes what it finds about bridge.yaml for programs, too`() throws {
        let peer = try WrongPeer(.isSilent)
        let ending = try doctor("admin: {listen: '127.0.0.1:\(peer.port)'}", format: "json")
        #expect(ending.code == 0, "the bridge may be running")
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let findings = try #require(parsed as? [[String: Any]])
        let finding = try #require(
            findings.first { $0["check"] as? String == "admin 127.0.0.1:\(peer.port)" })
        #expect(finding["result"] as? String == "warning")
        #expect((finding["action"] as? String)?.contains("ss -ltnp") == true)
        #expect(finding["connector"] is NSNull)
    }

    @Test func `exits 66 when there is no such file`() throws {
        let ending = try Program.run("doctor", "/nowhere/orders.yaml")
        #expect(ending.code == 66)
        #expect(ending.output.isEmpty)
    }
}
