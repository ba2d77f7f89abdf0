internal import Synchronization
internal import Telemetry

/// Keeps what was logged.
final class LinesSink: LogSink {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func write(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        kept.withLock { $0.append(text) }
    }

    /// A logger at a fixed moment that writes here.
    func logger(level: LogLevel = .info, format: LogFormat = .text) -> Logger {
        Logger(
            label: "worker", level: level, format: format, sink: self,
            clock: { 1_767_261_600_123 })
    }
}
