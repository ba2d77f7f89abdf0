import Foundation
import Glibc
import Testing
import YAML

/// Files that a pull request may contain, or name.
@Suite struct `A hostile file` {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func makePipe(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }

    @Test func `is not opened if it is a pipe, a device or a folder`() throws {
        try inFolder { folder in
            #expect(makePipe(folder + "/pipe"))
            for path in [folder + "/pipe", "/dev/zero", "/dev/null", "/dev/kmsg"] {
                let failure = #expect(throws: InputFile.Failure.self) {
                    _ = try InputFile.read(path: path)
                }
                #expect(failure?.reason == "it is not a regular file" || failure?.isMissing == true)
                #expect(InputFile.fault(of: path, limit: 10) == failure?.reason)
            }
            #expect(throws: InputFile.Failure.self) { _ = try InputFile.read(path: folder) }
            #expect(InputFile.fault(of: folder, limit: 10, folder: true) == nil)
            #expect(InputFile.fault(of: folder + "/none", limit: 10) == nil)
        }
    }

    @Test func `of the system is as long as it says, so that none is waited for`() throws {
        #expect(try InputFile.read(path: "/proc/self/environ") == [])
        #expect(try InputFile.read(path: "/proc/self/status") == [])
    }

    @Test func `is read up to its limit`() throws {
        try inFolder { folder in
            let path = folder + "/plain"
            try Data("0123456789".utf8).write(to: URL(filePath: path))
            #expect(try InputFile.read(path: path) == Array("0123456789".utf8))
            #expect(try InputFile.read(path: path, limit: 10).count == 10)
            let failure = #expect(throws: InputFile.Failure.self) {
                _ = try InputFile.read(path: path, limit: 9)
            }
            #expect(failure?.reason == "it is larger than 9 bytes")
            #expect(InputFile.fault(of: path, limit: 9) == "it is larger than 9 bytes")
            #expect(InputFile.fault(of: path, limit: 10) == nil)
        }
    }

    @Test func `of many problems is not read to its end`() {
        let text = String(repeating: "a: 1\n", count: 100_000)
        let document = YAMLDocument.read(bytes: Array(text.utf8), file: "x.yaml")
        #expect(document.root == nil && document.problems.count == 100)
    }

    @Test func `of one long line is read in linear time`() {
        let text = "x: [" + Array(repeating: "a", count: 100_000).joined(separator: ", ") + "]\n"
        let clock = ContinuousClock()
        let start = clock.now
        let document = YAMLDocument.read(bytes: Array(text.utf8), file: "x.yaml")
        #expect(document.problems == [] && document.root?["x"]?.elements?.count == 100_000)
        #expect(clock.now - start < .seconds(10))
    }
}
