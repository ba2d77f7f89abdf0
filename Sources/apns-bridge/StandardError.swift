internal import EventLoop
internal import Glibc
internal import Synchronization
internal import Telemetry

/// Standard error as a log needs it: nobody who writes a line waits for its reader.
enum StandardError {
    private static let output = Mutex<QueuedOutput?>(nil)
    /// The log whose lines it has: it knows their format.
    private static let log = Mutex<Logger?>(nil)

    /// A log. From now on everything written to standard error goes the same way, in order.
    static func logger(level: LogLevel, format: LogFormat = .text) -> Logger {
        let shared = output.withLock { output in
            output = output ?? open()
            return output
        }
        let queued = shared.map { QueuedSink(output: $0) }
        let logger = Logger(
            label: "apns-bridge", level: level, format: format,
            sink: queued ?? DescriptorSink.standardError)
        log.withLock { $0 = logger }
        return logger
    }

    private static func open() -> QueuedOutput? {
        do throws(KernelError) {
            let output = try QueuedOutput(descriptor: 2, describeLoss: describeLoss)
            output.precedeCrash()
            return output
        } catch {
            // Without a thread for it, lines are written where they are made.
            return nil
        }
    }

    /// How many lines were lost since the start, because nobody read them in time.
    static var lostLines: Int { output.withLock { $0 }?.lostLines ?? 0 }

    @Sendable private static func describeLoss(_ lines: Int) -> [UInt8] {
        let logger = log.withLock { $0 } ?? Logger(label: "apns-bridge")
        return logger.line(
            .warning, "log lines lost",
            metadata: [
                "lines": .number(lines),
                "action": "check what reads standard error: it was too slow, or had stopped",
            ])
    }

    /// Writes bytes that are no line of a log.
    static func write(_ bytes: [UInt8]) {
        guard let shared = output.withLock({ $0 }) else {
            return DescriptorSink.standardError.write(bytes)
        }
        shared.add(bytes)
    }

    /// Lets what was written before appear before what another descriptor gets.
    static func drain() {
        let shared = output.withLock { $0 }
        shared?.drain()
    }

    /// Writes what is left, at most for a second, and ends the process.
    ///
    /// The destructors of libraries do not run: the threads of the log, of tasks and of librdkafka
    /// may go on until the end, and must not outlive what they use.
    static func exit(_ code: Int32) -> Never {
        let shared = output.withLock { $0 }
        _ = shared?.finish()
        _exit(code)
    }
}

/// A sink that queues its lines.
private struct QueuedSink: LogSink {
    let output: QueuedOutput

    func write(_ line: [UInt8]) { output.add(line) }
}
