import Foundation
import Testing

/// The status page as a browser makes it, over a bridge that runs.
@Suite(.enabled(if: Browser.path != nil, "no Chromium is installed"))
struct `The status page of a bridge` {
    @Test func `shows a demonstration that keeps running, and ends on Ctrl-C`() throws {
        let demo = try SpokenProgram(["demo", "--keep"])
        defer { demo.kill() }
        let address = try #require(demo.listen(for: "status:", until: "simulator's devices:"))
        var page = ""
        // The addresses are there before the connector has started.
        for _ in 0..<20 where !page.contains("<h3>orders</h3>") {
            page = try Browser.page(address, seconds: 4)
        }
        #expect(page.contains("<h3>orders</h3>"))
        #expect(page.contains("aria-label=\"Pause: orders\""))
        #expect(page.contains("aria-label=\"Pushes per second, last: "))
        #expect(page.contains(">1 connector · 1 worker · up "))
        #expect(!page.contains("does not respond"))
        #expect(demo.interrupt() == 0)
    }
}

/// The running program, with what it writes to standard output.
private final class SpokenProgram {
    private let process = Process()
    private let output = Pipe()
    private var said = ""

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Reads until a text was written, and then returns the word after another one; nil if the
    /// program ended before that.
    func listen(for name: String, until message: String) -> String? {
        while !said.contains(message) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            said += String(decoding: more, as: UTF8.self)
        }
        return said.firstRange(of: name)
            .flatMap { said[$0.upperBound...].split(whereSeparator: \.isWhitespace).first }
            .map(String.init)
    }

    /// Sends Ctrl-C, and returns the exit code.
    func interrupt() -> Int32 {
        process.interrupt()
        process.waitUntilExit()
        return process.terminationStatus
    }

    func kill() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
