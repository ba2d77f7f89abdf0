internal import Configuration
internal import ConnectorTesting
internal import Encoding
internal import EventLoop
internal import Glibc
internal import Telemetry

/// The output of commands: results to standard output, everything else to standard error.
enum Console {
    /// Writes a result, without control characters of files or events; the process exits quietly
    /// when standard output is closed.
    static func output(_ text: String) { write(Array(SafeText.lines(text).utf8)) }

    /// Writes a result that may be in colour.
    static func output(coloured text: String) {
        write(Array(SafeText.colouredLines(text).utf8))
    }

    /// Writes a result, for example JSON, without control characters of files or events; the
    /// process exits quietly when standard output is closed.
    static func output(_ bytes: [UInt8]) { write(SafeText.json(bytes)) }

    private static func write(_ bytes: [UInt8]) {
        StandardError.drain()
        switch DescriptorSink.standardOutput.writeAll(bytes) {
        case 0: return
        case EPIPE: StandardError.exit(128 + SIGPIPE)
        case let code:
            error("error: cannot write to standard output: system error \(code)")
            StandardError.exit(74)
        }
    }

    /// Writes a line to standard error.
    static func error(_ text: String) {
        let safe = SafeText.lines(text)
        StandardError.write(Array((safe.hasSuffix("\n") ? safe : safe + "\n").utf8))
    }

    /// Writes part of a line to standard error.
    static func error(bytes text: String) {
        StandardError.write(Array(text.utf8))
    }

    /// True when standard output is a terminal.
    static var isOutputTerminal: Bool { isatty(1) == 1 }
    /// True when standard error is a terminal.
    static var isErrorTerminal: Bool { isatty(2) == 1 }
    /// True when a terminal may use colour: `NO_COLOR` is respected.
    static var isColourWelcome: Bool {
        let variables = ProcessEnvironment.variables
        return (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
    }
}

extension Console {
    /// Writes what an event becomes, without what the references of its connector resolve to.
    static func output(
        _ rendered: RenderedRecord, of connector: Connector, as format: OutputFormat, now: Int64
    ) {
        switch format {
        case .text: output(connector.resolved.hide(in: rendered.text(now: now)))
        case .json: output(connector.resolved.hide(in: rendered.json()) + [UInt8(ascii: "\n")])
        }
    }
}
