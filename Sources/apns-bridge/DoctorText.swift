internal import Bridge
internal import JSON

/// What ``DoctorVerb`` prints.
enum DoctorText {
    /// A finding in one line, and what to do about it in a second one.
    static func lines(of finding: DoctorFinding) -> String {
        let word = word(for: finding.result)
        let padding = String(repeating: " ", count: 13 - word.count)
        let subject = (finding.connector.map { "\($0): " } ?? "") + finding.check
        let line = "\(word)\(padding)\(subject): \(finding.detail)\n"
        guard finding.result != .passed, let action = finding.action else { return line }
        return line + String(repeating: " ", count: 13) + action + "\n"
    }

    private static func word(for result: DoctorFinding.Result) -> String {
        switch result {
        case .passed: "ok"
        case .warning: "warning"
        case .failed: "FAILED"
        case .notChecked: "not checked"
        }
    }

    /// How many checks came to what.
    static func summary(_ findings: [DoctorFinding]) -> String {
        func count(_ result: DoctorFinding.Result) -> Int {
            findings.count { $0.result == result }
        }
        return "\(findings.count) checks: \(count(.failed)) failed, \(count(.warning)) with a"
            + " warning, \(count(.notChecked)) not checked"
    }

    /// One array of objects.
    static func json(_ findings: [DoctorFinding]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            write("connector", finding.connector, to: &writer)
            write("check", finding.check, to: &writer)
            write("result", finding.result.rawValue, to: &writer)
            write("detail", finding.detail, to: &writer)
            write("action", finding.action, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ name: String, _ value: String?, to writer: inout JSONWriter) {
        writer.name(name)
        writer.string(value)
    }
}
