internal import EventLoop
internal import Glibc
internal import Telemetry

/// Where a verb speaks: results to standard output, everything else to standard error.
enum Console {
    /// Writes a result; when nobody reads it any more, the process ends quietly.
    static func output(_ text: String) { output(Array(text.utf8)) }

    /// Writes a result; when nobody reads it any more, the process ends quietly.
    static func output(_ bytes: [UInt8]) {
        switch DescriptorSink.standardOutput.writeAll(bytes) {
        case 0: return
        case EPIPE: exit(128 + SIGPIPE)
        case let code:
            error("error: cannot write to standard output: system error \(code)")
            exit(74)
        }
    }

    /// Writes a line for people.
    static func error(_ text: String) {
        DescriptorSink.standardError.write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }

    /// Writes a part of a line for people.
    static func error(bytes text: String) {
        DescriptorSink.standardError.write(Array(text.utf8))
    }

    /// True when a person looks at standard output.
    static var isOutputTerminal: Bool { isatty(1) == 1 }
    /// True when a person looks at standard error.
    static var isErrorTerminal: Bool { isatty(2) == 1 }
    /// True when colour may be used on a terminal: `NO_COLOR` is obeyed.
    static var isColourWelcome: Bool {
        let variables = ProcessEnvironment.variables
        return (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
    }
}
