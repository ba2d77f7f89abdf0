import Foundation

/// A simulator as a process of its own, on ports that the kernel chose.
final class SimulatorProcess {
    let folder: URL
    /// What it printed until it was ready.
    private(set) var announcement = ""
    private let process = Process()

    /// Starts it, and waits until it says that it is ready.
    init(_ arguments: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        process.executableURL = URL(filePath: Program.path)
        process.arguments =
            ["simulator", "--state", "state", "--port", "0", "--admin-port", "0"] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        while !announcement.contains("passphrase:") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            announcement += String(decoding: more, as: UTF8.self)
        }
    }

    deinit {
        if process.isRunning { process.terminate() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Where it accepts pushes.
    var endpoint: String { value(of: /endpoint: (\S+)/) }
    /// Where its administration listens.
    var page: String { value(of: /Device page: (\S+)/) }
    var authority: String { folder.appending(path: "state/ca.pem").path }

    private func value(of pattern: Regex<(Substring, Substring)>) -> String {
        announcement.firstMatch(of: pattern).map { String($0.output.1) } ?? ""
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for its end; how it exited, or the signal that killed it as a negative number.
    var exitCode: Int32 {
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return isSignal ? -process.terminationStatus : process.terminationStatus
    }

    /// Asks it to stop, and answers with its exit code.
    func stop() -> Int32 {
        process.terminate()
        return exitCode
    }
}
