import Foundation
import Testing

@Suite struct `The admin endpoint of a running process` {
    private static let message =
        "the admin endpoint has no TLS and is reachable from other machines"

    /// What a process that starts with an admin endpoint warns about it.
    private func warnings(listen: String) throws -> [String] {
        let world = try BadInputWorld()
        try world.writeConnector()
        try world.write(Array("secret-of-16-bytes\n".utf8), to: "admin.token")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: world.folder.appending(path: "admin.token").path)
        try world.write(
            Array("admin: {listen: '\(listen)', token_file: admin.token}\n".utf8),
            to: "bridge.yaml")
        let program = try RunningProgram(
            ["run", "--settings", "bridge.yaml", "orders.yaml"], in: world.folder)
        #expect(program.listen(until: "connected to APNs"), "\(program.said)")
        #expect(program.terminate() == 0)
        return program.lines("warning").filter { $0.contains("admin endpoint") }
    }

    @Test func `warns at the start if other machines can reach it`() throws {
        #expect(
            try warnings(listen: "0.0.0.0:0")
                == [#"warning \#(Self.message) action="put a proxy with TLS before it""#])
    }

    @Test func `does not warn on loopback`() throws {
        #expect(try warnings(listen: "127.0.0.1:0") == [])
    }
}
