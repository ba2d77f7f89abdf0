internal import Arguments
internal import Configuration
internal import EventLoop
internal import Glibc
internal import LegacyProviders
internal import Synchronization
internal import Telemetry

/// What the two verbs for legacy providers have in common.
enum LegacyRun {
    private static let logFormat = Option<LogFormat>(
        "log-format", default: .text, help: "Log output format.")
    private static let logLevel = Option<LogLevel>(
        "log-level", default: .info, help: "Minimum log level.")

    static let options: [any Declared] = [logFormat, logLevel]

    static func logger(_ parsed: ParsedCommand) -> Logger {
        Logger(label: "apns-bridge", level: parsed[logLevel], format: parsed[logFormat])
    }

    /// Says what is wrong with a file.
    static func refuse(_ diagnostics: [Diagnostic], _ path: String) -> ExitCode {
        Console.error(Diagnostic.report(diagnostics))
        return FileSystem.exists(path) ? .configuration : .noInput
    }

    /// The signals that stop a service.
    static let signals = Signals.termination

    /// Runs a service on a thread of its own until it ends; `body` says when it listens.
    ///
    /// The first signal stops it, or ends the process if nothing listens yet; the second one ends
    /// the process at once.
    static func run(
        stop: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable (_ listening: () -> Void) throws(LegacyFailure) -> ExitCode
    ) async -> ExitCode {
        let isListening = Listening()
        let stopper = Task {
            var isFirst = true
            for await signal in Signals.received() where signals.contains(signal) {
                if !isFirst { _exit(128 + signal) }
                guard isListening.value else { _exit(0) }
                isFirst = false
                stop()
            }
        }
        defer { stopper.cancel() }
        return await withCheckedContinuation { continuation in
            LoopThread(name: "legacy") {
                do throws(LegacyFailure) {
                    continuation.resume(returning: try body { isListening.begin() })
                } catch {
                    Console.error("\(error)\nNothing was started.")
                    continuation.resume(
                        returning: error.kind == .configuration ? .configuration : .unavailable)
                }
            }.detach()
        }
    }

    /// Whether a service listens already.
    private final class Listening: Sendable {
        private let flag = Atomic<Bool>(false)

        var value: Bool { flag.load(ordering: .relaxed) }

        func begin() { flag.store(true, ordering: .relaxed) }
    }
}
