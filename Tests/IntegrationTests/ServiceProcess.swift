import Foundation
import Testing

/// One of the services for legacy providers, as a process of its own.
final class ServiceProcess {
    private let process = Process()
    private let errors = Pipe()
    private(set) var said = ""
    /// Where it listens.
    private(set) var port = 0

    /// Starts it, and waits until it listens.
    init(_ verb: String, _ file: String) throws {
        process.executableURL = BridgeProcess.executable
        process.arguments = [verb, file]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = try listen(until: /listening host=\S+ port=(\d+)\n/)
        port = Int(text) ?? 0
    }

    deinit { kill() }

    /// Reads its log until something stands there, and answers with the part that is captured.
    @discardableResult
    func listen(until pattern: Regex<(Substring, Substring)>) throws -> String {
        while true {
            if let found = said.firstMatch(of: pattern) { return String(found.output.1) }
            let more = errors.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it ended: \(said)")
            said += String(decoding: more, as: UTF8.self)
        }
    }

    /// Asks it to stop, waits, and returns its exit code.
    func terminate() -> Int32 {
        process.terminate()
        said += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends it at once.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A provider written in Python, as a process of its own.
final class ProviderProcess {
    private let process = Process()
    private let output = Pipe()
    private(set) var said = ""

    init(_ script: String, _ arguments: [String], python: String?) throws {
        process.executableURL = URL(filePath: python ?? "/usr/bin/env")
        process.arguments =
            (python == nil ? ["python3"] : []) + ["-W", "ignore", "-c", script] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Reads what it prints until a word stands there.
    func listen(until word: String) throws {
        while !said.contains(word) {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it ended: \(said)")
            said += String(decoding: more, as: UTF8.self)
        }
    }

    /// Reads all that it prints, and returns it when it has ended.
    func finish() -> String {
        said += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said
    }
}
