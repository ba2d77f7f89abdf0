import Foundation
import Testing

/// The program under test, as a process of its own; what it logs goes to a file.
final class BridgeProcess {
    private let process = Process()
    private let log: URL

    /// The executable that this test run has built.
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "apns-bridge")
    }

    /// Starts the program; its log is appended to `folder/NAME.log`, unless `errors` gets it.
    init(
        _ arguments: [String], in folder: URL, name: String = "bridge",
        environment: [String: String] = [:], errors: FileHandle? = nil
    ) throws {
        log = folder.appending(path: "\(name).log")
        let handle = try Self.open(log)
        process.executableURL = Self.executable
        process.arguments = arguments
        process.standardError = errors ?? handle
        process.standardOutput = handle
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        try process.run()
    }

    /// Opens a file so that processes that share it overwrite nothing of each other.
    private static func open(_ file: URL) throws -> FileHandle {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        let descriptor = unsafe Glibc.open(file.path, flags, 0o644)
        try #require(descriptor >= 0, "\(file.path): errno \(errno)")
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { kill() }

    var isRunning: Bool { process.isRunning }

    /// The processor time that it has used, in hundredths of a second.
    var processorTicks: Int {
        let file = "/proc/\(process.processIdentifier)/stat"
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        // The name in parentheses may contain spaces; what follows it begins with the third field.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12 else { return 0 }
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }

    /// How many files and sockets it has open.
    var openFiles: Int {
        let folder = "/proc/\(process.processIdentifier)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// Changes how many files and sockets it may open.
    func limitOpenFiles(to number: Int) throws {
        let tool = try Process.run(
            URL(filePath: "/usr/bin/prlimit"),
            arguments: ["--pid", "\(process.processIdentifier)", "--nofile=\(number):"])
        tool.waitUntilExit()
        try #require(tool.terminationStatus == 0)
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { _ = Glibc.kill(process.processIdentifier, signal) }

    /// What it has logged so far.
    var logged: String {
        (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    }

    /// Asks it to stop, waits, and returns its exit code.
    func terminate() -> Int32 {
        process.terminate()
        return wait()
    }

    /// Waits until it has logged something.
    func waitUntilLogged(_ message: String, seconds: Double = 60) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while !logged.contains(message) {
            try #require(isRunning && Date() < end, "it has not logged '\(message)': \(logged)")
            waitBeforeNextLook()
        }
    }

    /// Waits for it to crash.
    func waitForCrash() throws {
        process.waitUntilExit()
        try #require(process.terminationReason == .uncaughtSignal, "it ended: \(logged)")
    }

    /// Ends it at once.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for its end and returns its exit code.
    func wait() -> Int32 {
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal {
            Issue.record("it died of signal \(process.terminationStatus): \(logged.suffix(2000))")
        }
        return process.terminationStatus
    }
}
