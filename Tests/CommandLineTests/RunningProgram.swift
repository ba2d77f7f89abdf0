import Foundation

/// The running program, with everything that it has written to standard error.
final class RunningProgram {
    private let process = Process()
    private let errors = Pipe()
    private(set) var said = ""

    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(environment, uniquingKeysWith: { $1 })
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until it has written a text; false if it ended before that.
    func listen(until text: String) -> Bool {
        while !said.contains(text) {
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { return false }
            said += String(decoding: more, as: UTF8.self)
        }
        return true
    }

    var isRunning: Bool { process.isRunning }
    var identifier: Int32 { process.processIdentifier }

    /// Waits for its end; how it exited, or the signal that killed it as a negative number.
    var exitCode: Int32 {
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return isSignal ? -process.terminationStatus : process.terminationStatus
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Asks it to stop, reads the rest of its output, and returns its exit code.
    func terminate() -> Int32 {
        process.terminate()
        said += String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The lines of its log that have a level, without the time.
    func lines(_ level: String) -> [String] {
        said.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[1].hasPrefix("\(level) ") else { return nil }
            return String(parts[1])
        }
    }
}
