import Foundation
import Kafka
import TLS
import Testing

@Suite struct `The verbs for legacy providers` {
    private let folder: URL
    private let cluster: EmbeddedCluster

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        cluster = try EmbeddedCluster()
        try cluster.createTopic("legacy.pushes", partitions: 1)
        let authority = try CertificateAuthority.generate(name: "Clients")
        let server = try authority.issue()
        try Data(authority.certificatePEM).write(to: folder.appending(path: "ca.pem"))
        try Data(server.certificatePEM).write(to: folder.appending(path: "gateway.pem"))
        try Data(server.keyPEM).write(to: folder.appending(path: "gateway.key"))
    }

    private func write(_ old: String = "", _ new: String = "") throws {
        let text = """
            listen:
              port: 0
              certificate: gateway.pem
              certificate_key: gateway.key
            kafka: {bootstrap.servers: "\(cluster.bootstrapServers)"}
            topic: legacy.pushes
            apps:
              shop: {bundle_id: com.example.shop, client_ca_file: ca.pem}
            """
        try text.replacingOccurrences(of: old, with: new).write(
            to: folder.appending(path: "a.legacy-gateway.yaml"), atomically: true, encoding: .utf8)
    }

    private func run(_ file: String = "a.legacy-gateway.yaml") throws -> Program.Ending {
        try Program.run(Program.path, ["legacy-gateway", file], in: folder)
    }

    @Test func `name the line and what to do when the port is in use`() throws {
        let peer = try WrongPeer(.isSilent)
        try write("port: 0", "port: \(peer.port)")
        let ending = try run()
        #expect(ending.code == 69)
        #expect(
            ending.errors
                == "a.legacy-gateway.yaml:2:9: error: cannot listen on 127.0.0.1:\(peer.port): "
                + "address already in use\n"
                + "  stop the process that listens there (see ss -ltnp), or write another port\n"
                + "Nothing was started.\n")
    }

    @Test(arguments: [(1063, true), (1064, false)])
    func `warn when the process may not open a file for each connection`(
        limit: Int, isWarned: Bool
    ) throws {
        let peer = try WrongPeer(.isSilent)
        try write("port: 0", "port: \(peer.port)")
        // The soft limit alone does not matter: the service raises it.
        let script = "ulimit -Sn 256 && ulimit -Hn \(limit) && exec \"$0\" \"$@\""
        let ending = try Program.run(
            "/bin/bash",
            ["-c", script, Program.path, "legacy-gateway", "a.legacy-gateway.yaml"], in: folder)
        #expect(ending.code == 69)
        let message = "the limit of open files is too low for limits.connections"
        #expect(ending.errors.contains(message) == isWarned, "\(ending.errors)")
    }

    @Test func `name the line of a key that cannot be read`() throws {
        try write("certificate_key: gateway.key", "certificate_key: gone.key")
        let ending = try run()
        #expect(ending.code == 78)
        #expect(
            ending.errors.hasPrefix(
                "a.legacy-gateway.yaml:4:20: error: cannot read 'certificate_key': no such file")
        )
    }

    @Test func `name the line of an unknown key`() throws {
        try write("topic: ", "topik: ")
        let ending = try run()
        #expect(ending.code == 78)
        #expect(ending.errors.hasPrefix("a.legacy-gateway.yaml:6:1: error: unknown key 'topik'"))
        #expect(ending.errors.contains("did you mean 'topic'?"))
    }

    @Test func `say how their files are called`() throws {
        let ending = try run("orders.yaml")
        #expect(ending.code == 66)
        #expect(ending.errors.contains("does not end in '.legacy-gateway.yaml'"))
        let missing = try Program.run("feedback-service", "no.feedback-service.yaml")
        #expect(missing.code == 66)
        #expect(missing.errors.contains("cannot be read: no such file"))
    }

    @Test(arguments: ["legacy-gateway", "feedback-service"])
    func `have a schema that foreign validators take`(subject: String) throws {
        let ending = try Program.run("schema", subject)
        #expect(ending.code == 0)
        let script =
            "import json, jsonschema, sys; "
            + "jsonschema.Draft202012Validator.check_schema(json.loads(sys.argv[1]))"
        let checked = try Program.run("/usr/bin/env", ["python3", "-c", script, ending.output])
        #expect(checked.code == 0, "\(checked.errors)")
    }
}
