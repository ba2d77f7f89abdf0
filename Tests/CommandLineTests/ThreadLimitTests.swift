import Foundation
import Testing

@Suite struct `A program without threads` {
    private static let tools = ["/usr/bin/setpriv", "/usr/bin/prlimit"]
    /// The limit does not hold for root, who may run a program as another user.
    private static let canLimit =
        getuid() == 0 && tools.allSatisfy(FileManager.default.isExecutableFile)

    @Test(.enabled(if: canLimit, "only root can run it as another user"), arguments: [1, 2])
    func `ends, and says which limit to raise`(limit: Int) throws {
        // Where any user can run it.
        let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: URL(filePath: Program.path), to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy.path)
        let user = String(60_000 + getpid() % 5000)
        let ending = try Program.run(
            "/usr/bin/timeout",
            [
                "60", Self.tools[0], "--reuid=\(user)", "--regid=\(user)", "--clear-groups",
                Self.tools[1],
                "--nproc=\(limit)", copy.path, "reasons",
            ])
        #expect(ending.code == 69)
        #expect(
            ending.errors.hasPrefix(
                "error: cannot start a thread: Resource temporarily unavailable: raise the limit"),
            "\(ending.errors)")
    }
}
