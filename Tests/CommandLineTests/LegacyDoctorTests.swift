import Foundation
import Kafka
import TLS
import Testing

@Suite struct `The verb doctor on files for legacy providers` {
    private let world: BadInputWorld
    private static let gateway = "providers.legacy-gateway.yaml"
    private static let feedback = "providers.feedback-service.yaml"

    init() throws {
        world = try BadInputWorld()
        let authority = try CertificateAuthority.generate(name: "Clients")
        let server = try authority.issue()
        try world.write(authority.certificatePEM, to: "clients.pem")
        try world.write(server.certificatePEM + server.keyPEM, to: "gateway.pem")
        try world.write(bytes(common + "topic: \(world.topic)\n"), to: Self.gateway)
        try world.write(bytes("a key of thirty-two characters.."), to: "seal.key")
        let feedback = """
            unregistered: \(world.topic).gone
            group: feedback
            seal: ["${file:seal.key}"]

            """
        try world.write(bytes(common + feedback), to: Self.feedback)
    }

    private var common: String {
        """
        listen: {port: 0, certificate: gateway.pem}
        kafka: {bootstrap.servers: "\(world.bootstrapServers)"}
        apps:
          shop: {bundle_id: com.example.shop, client_ca_file: clients.pem}

        """
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func doctor(_ arguments: String...) throws -> Program.Ending {
        try Program.run(Program.path, ["doctor"] + arguments, in: world.folder)
    }

    private func change(_ file: String, _ old: String, _ new: String) throws {
        let url = world.folder.appending(path: file)
        let text = try String(contentsOf: url, encoding: .utf8)
        try #require(text.contains(old))
        try world.write(bytes(text.replacingOccurrences(of: old, with: new)), to: file)
    }

    @Test func `finds nothing that fails where a gateway would start`() throws {
        let ending = try doctor(Self.gateway)
        #expect(ending.code == 0, "\(ending.output)")
        let name = "providers.legacy-gateway"
        let lines = ending.output.split(separator: "\n")
        for line in [
            "ok           connector files: 1 legacy gateway without a problem",
            "ok           \(name): listen 127.0.0.1:0: any free port is available",
            "ok           \(name): topic \(world.topic): 1 partition",
        ] {
            #expect(lines.contains(Substring(line)), "\(line)\n\(ending.output)")
        }
        for beginning in [
            "ok           \(name): certificate: valid until ",
            "ok           \(name): client_ca_file of shop: CN = Clients: valid until ",
            "ok           \(name): kafka \(world.bootstrapServers): reachable; cluster ",
            "not checked  \(name): write access: ",
        ] {
            #expect(lines.contains { $0.hasPrefix(beginning) }, "\(beginning)\n\(ending.output)")
        }
        #expect(!ending.output.contains("clock"), "a gateway has no provider tokens")
    }

    @Test func `reads what a feedback service reads, and commits nothing`() throws {
        let ending = try doctor(Self.feedback)
        #expect(ending.code == 0, "\(ending.output)")
        let name = "providers.feedback-service"
        let lines = ending.output.split(separator: "\n")
        for line in [
            "ok           connector files: 1 feedback service without a problem",
            "ok           \(name): read access \(world.topic).gone: a fetch outside the group"
                + " succeeded",
            "ok           \(name): group feedback.shop: has committed offsets for 0 of 1"
                + " partitions",
        ] {
            #expect(lines.contains(Substring(line)), "\(line)\n\(ending.output)")
        }
        #expect(!ending.output.contains("write access"))
    }

    @Test func `examines a folder of connectors and of these files at once`() throws {
        let change = BadInputWorld.namesBundleIDs
        try world.writeConnector(change.old, change.new)
        let ending = try doctor(".")
        #expect(ending.code == 0, "\(ending.output)")
        #expect(
            ending.output.hasPrefix(
                "ok           connector files: 1 connector, 1 legacy gateway, 1 feedback service"
                    + " without a problem\n"))
        for part in [
            "orders: apns ", "providers.legacy-gateway: topic ",
            "providers.feedback-service: group feedback.shop: ",
        ] {
            #expect(ending.output.contains("ok           " + part), "\(ending.output)")
        }
    }

    @Test func `examines a folder without a connector`() throws {
        let ending = try doctor(".")
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
        #expect(
            ending.output.hasPrefix(
                "ok           connector files: 1 legacy gateway, 1 feedback service without"))
    }

    @Test func `says what to do about a port in use, which may be the service's own`() throws {
        let peer = try WrongPeer(.isSilent)
        try change(Self.gateway, "port: 0", "port: \(peer.port)")
        let ending = try doctor(Self.gateway)
        #expect(ending.code == 0)
        let address = "127.0.0.1:\(peer.port)"
        #expect(
            ending.output.contains(
                "warning      providers.legacy-gateway: listen \(address): cannot listen on"
                    + " \(address): address already in use (\(Self.gateway):1)\n"
                    + "             nothing to do if this service is running already; otherwise"
                    + " stop the process that listens there (see ss -ltnp), or write another port"))
    }

    @Test func `fails for an address of another machine`() throws {
        try change(Self.gateway, "port: 0", "host: 192.0.2.1, port: 2195")
        let ending = try doctor(Self.gateway)
        #expect(ending.code == 1)
        #expect(
            ending.output.contains(
                "FAILED       providers.legacy-gateway: listen 192.0.2.1:2195: cannot listen on"))
    }

    @Test func `fails for a certificate that has expired`() throws {
        let authority = try CertificateAuthority.generate(name: "Old")
        let server = try authority.issue(validFor: -3600)
        try world.write(server.certificatePEM + server.keyPEM, to: "gateway.pem")
        let ending = try doctor(Self.gateway)
        #expect(ending.code == 1)
        #expect(
            ending.output.contains(
                "FAILED       providers.legacy-gateway: certificate: expired on "))
        #expect(ending.output.contains("             renew it, and restart the service"))
    }

    @Test func `fails for a key of another certificate, and examines the other file`() throws {
        let other = try CertificateAuthority.generate(name: "Other").issue()
        try world.write(other.keyPEM, to: "other.key")
        try change(Self.gateway, "gateway.pem", "gateway.pem, certificate_key: other.key")
        let ending = try doctor(Self.gateway, Self.feedback)
        #expect(ending.code == 1)
        #expect(
            ending.output.contains(
                "FAILED       connector file: the certificate's key is not usable: "))
        #expect(ending.output.contains("(\(Self.gateway):1)"))
        #expect(ending.output.contains("ok           providers.feedback-service: kafka "))
    }

    @Test func `says nothing about connectors where there are none`() throws {
        try change(Self.gateway, "gateway.pem", "gone.pem")
        let ending = try doctor(Self.gateway)
        #expect(ending.code == 1)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("FAILED       connector file: cannot read") == true)
        #expect(lines.count == 2, "\(ending.output)")
    }

    @Test func `fails where the topic is missing, and says how to create it`() throws {
        world.hide("\(world.topic).gone")
        let ending = try doctor(Self.feedback)
        #expect(ending.code == 1)
        let lines = ending.output.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasPrefix("FAILED") })
        #expect(
            lines[index].hasSuffix(
                "Kafka has no topic '\(world.topic).gone' (\(Self.feedback):5)"))
        #expect(lines[index + 1].hasSuffix("--config cleanup.policy=compact"))
    }

    @Test func `fails where Kafka is away, and says what is not checked because of it`() throws {
        let peer = try WrongPeer(.refuses)
        let address = "127.0.0.1:\(peer.port)"
        try change(Self.gateway, world.bootstrapServers, address)
        let ending = try doctor(Self.gateway)
        #expect(ending.code == 1)
        let name = "providers.legacy-gateway"
        #expect(ending.output.contains("FAILED       \(name): kafka \(address): no connection"))
        #expect(
            ending.output.contains(
                "not checked  \(name): topic \(world.topic): Kafka is not reachable"))
        #expect(ending.output.contains("ok           \(name): listen 127.0.0.1:0: "))
    }

    @Test func `warns when the process may not open a file for each connection`() throws {
        let script = "ulimit -Sn 256 && ulimit -Hn 1063 && exec \"$0\" \"$@\""
        let ending = try Program.run(
            "/bin/bash", ["-c", script, Program.path, "doctor", Self.gateway], in: world.folder)
        #expect(ending.code == 0)
        #expect(
            ending.output.contains(
                "warning      providers.legacy-gateway: open files: the hard limit is 1063;"
                    + " 1000 connections need about 1064\n"))
    }

    @Test func `writes the findings for programs`() throws {
        let ending = try doctor("--format", "json", Self.gateway, Self.feedback)
        #expect(ending.code == 0)
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let findings = try #require(parsed as? [[String: Any]])
        let names = Set(findings.compactMap { $0["connector"] as? String })
        #expect(names == ["providers.legacy-gateway", "providers.feedback-service"])
    }

    @Test func `exits 66 when there is no such file`() throws {
        let ending = try doctor(Self.gateway, "gone.legacy-gateway.yaml")
        #expect(ending.code == 66)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("gone.legacy-gateway.yaml"))
    }
}
