import Foundation
import Testing

@Suite struct `A program without descriptors` {
    private static let tool = "/usr/bin/prlimit"
    private static let canLimit = FileManager.default.isExecutableFile(atPath: tool)

    private func run(limit: Int, _ arguments: String...) throws -> Program.Ending {
        try Program.run(
            "/usr/bin/timeout",
            ["-s", "KILL", "20", Self.tool, "--nofile=\(limit):\(limit)", Program.path] + arguments)
    }

    /// With fewer than five the system's loader cannot even open the libraries.
    @Test(.enabled(if: canLimit, "prlimit is missing"), arguments: [4, 5, 8, 12, 17])
    func `ends, and says which limit to raise`(limit: Int) throws {
        let ending = try run(limit: limit, "reasons")
        #expect(ending.code == 69)
        #expect(
            ending.errors == "error: too many open files: raise the limit of \(limit) (ulimit -n,"
                + " LimitNOFILE= of systemd)\n")
    }

    /// It goes on with what it has, or ends in good order: it is never a signal.
    @Test(
        .enabled(if: canLimit, "prlimit is missing"),
        arguments: [19, 24, 28, 32, 40, 48, 56, 64])
    func `never dies of it while a worker and Kafka run`(limit: Int) throws {
        let ending = try run(limit: limit, "demo")
        // 9: it still runs after 20 seconds, and is killed.
        #expect([0, 1, 69, 70, 9, 137].contains(ending.code), "\(ending.code): \(ending.errors)")
    }
}
