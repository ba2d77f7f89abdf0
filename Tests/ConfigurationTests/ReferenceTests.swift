import Configuration
import Foundation
import TLS
import Testing

@Suite struct `A reference to a variable or a file` {
    @Test func `that is missing is an error for run and a warning for lint`() throws {
        let change = ["  group": "  group: a-${env:NOWHERE}"]
        let message =
            "the environment variable 'NOWHERE' is not set"
            + " | set it, or write ${env:NOWHERE ?? \"…\"}"
        #expect(try Example.findings(change) == ["3:12: error: \(message)"])
        #expect(try Example.findings(change, mode: .lint) == ["3:12: warning: \(message)"])
        #expect(try Example.load(change, mode: .lint).connector == nil)
    }

    @Test func `to a missing file is an error for run and a warning for lint`() throws {
        let change = ["  key:": "  key: \"${file:no/AuthKey.p8}\""]
        let message =
            "cannot read the file 'no/AuthKey.p8': no such file or directory"
            + " | paths are relative to the folder of this file: ."
        #expect(try Example.findings(change) == ["8:9: error: \(message)"])
        #expect(try Example.findings(change, mode: .lint) == ["8:9: warning: \(message)"])
    }

    @Test func `to a missing ca_file is an error for run and a warning for lint`() throws {
        let change = ["  environment": "  {endpoint: x}"].mapValues { _ in
            "  endpoint: https://localhost\n  ca_file: no.pem"
        }
        let message =
            "cannot read 'ca_file': no such file or directory"
            + " | paths are relative to the folder of this file: ."
        #expect(try Example.findings(change) == ["8:12: error: \(message)"])
        #expect(try Example.findings(change, mode: .lint) == ["8:12: warning: \(message)"])
    }

    @Test(arguments: [
        ("${KAFKA}", "${env:KAFKA}"), ("${KAFKA:-h:1}", "${env:KAFKA ?? 'h:1'}"),
        ("${KAFKA:h}", "${env:KAFKA ?? 'h'}"),
    ])
    func `in the syntax of other tools is rejected with ours`(text: String, remedy: String) throws {
        #expect(
            try Example.findings(["  bootstrap": "  bootstrap.servers: \"\(text)\""]) == [
                "5:23: error: templates are only valid in 'notification'"
                    + " | write \(remedy), or $${ for the two characters ${"
            ])
    }

    @Test(arguments: [
        (
            "${env:}",
            "'${env:}' is not a valid reference | write ${env:NAME} or ${env:NAME ?? \"…\"}"
        ),
        (
            "${env:1A}",
            "'${env:1A}' is not a valid reference | write ${env:NAME} or ${env:NAME ?? \"…\"}"
        ),
        (
            "${env:A ?? b}",
            "'${env:A ?? b}' is not a valid reference | quote the default: ${env:NAME ?? \"text\"}"
        ),
        ("${file: }", "'${file: }' is not a valid reference | write ${file:PATH}"),
        ("a${env:A", "'${' is not closed | end it with '}'"),
    ])
    func `that is malformed is rejected`(text: String, finding: String) throws {
        let column = text.hasPrefix("a") ? 12 : 11
        #expect(
            try Example.findings(["  group": "  group: '\(text)'"])
                == ["3:\(column): error: \(finding)"])
    }

    @Test func `never shows its value, whatever is wrong with it`() throws {
        let secret = "hunter2 ${x}"
        for line in ["workers", "shutdown_deadline"] {
            let findings = try Example.load(
                adding: "\(line): ${env:SECRET}", environment: ["SECRET": secret]
            ).diagnostics
            #expect(findings.count == 1)
            #expect(!Diagnostic.report(findings).contains("hunter2"))
        }
        let lines = [
            "  topics": "  topics: [\"${env:SECRET}\", \"${env:SECRET}\"]",
            "  key_id": "  key_id: ${env:SECRET}", "  team_id": "  team_id: ${env:SECRET}",
            "  bundle_id": "  bundle_id: ${env:SECRET}", "  key:": "  key: ${env:SECRET}",
            "  environment": "  endpoint: ${env:SECRET}\n  ca_file: ${env:SECRET}",
            "  outcomes": "  outcomes: ${env:SECRET}",
            "  unregistered": "  unregistered: ${env:SECRET}",
        ]
        let findings = try Example.load(lines, environment: ["SECRET": secret]).diagnostics
        #expect(findings.count >= 8)
        #expect(!Diagnostic.report(findings).contains("hunter2"))
    }

    @Test func `near a password in the file does not show the password`() throws {
        let findings = try Example.load(["  bootstrap": "  sasl.password: [hunter2]"]).diagnostics
        #expect(findings.count == 2)
        #expect(!Diagnostic.report(findings).contains("hunter2"))
    }

    @Test(arguments: [
        "  sasl.password: hunter2 #${x}", "  sasl.password: ${x}: hunter2",
        "  {sasl.password: hunter2, a: ${x}}",
    ])
    func `in invalid YAML does not show a password near it`(line: String) throws {
        let findings = try Example.load(["  bootstrap": line]).diagnostics
        #expect(!findings.isEmpty)
        #expect(!Diagnostic.report(findings).contains("hunter2"))
    }

    @Test func `for a password is shown if it is the whole value`() throws {
        let findings = try Example.load(["  bootstrap": "  sasl.password: ${env:NO}"]).diagnostics
        #expect(
            findings.contains { $0.excerpt?.text == "  sasl.password: ${env:NO}" })
    }

    @Test func `is resolved once: its value is not a reference`() throws {
        let connector = try Example.load(
            ["  group": "  group: ${env:A}"], environment: ["A": "${env:KEY}"]
        ).connector
        #expect(connector?.source.group == "${env:KEY}")
    }

    @Test func `may be next to text, and have a default`() throws {
        let connector = try Example.load([
            "  group": #"  group: 'a-${env:NO ?? "b\"}"}-$${c}'"#
        ]).connector
        #expect(connector?.source.group == "a-b\"}-${c}")
    }

    @Test(arguments: [
        ("g", "g"), ("g\n", "g"), ("g\r\n", "g"), ("g\n\n", "g\n"), (" g \n", " g "),
        ("a\nb\n", "a\nb"),
    ])
    func `to a file is relative to the connector's folder, without one final newline`(
        _ content: String, _ value: String
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(content.utf8).write(to: folder.appending(path: "group"))
        let text = Example.text.replacing("apns-orders", with: "\"${file:group}\"")
        let path = folder.appending(path: "orders.yaml").path
        try Data(text.utf8).write(to: URL(filePath: path))
        let result = ConnectorFile.load(path: path, environment: try Example.environment())
        #expect(result.diagnostics.isEmpty)
        #expect(result.connector?.source.group == value)
    }

    @Test func `may stand in a notification, and its value is not a template`() throws {
        let result = try Example.load(
            ["  payload": "  payload: {aps: {badge: 1}, x: \"${env:A} ${b}\"}"],
            environment: ["A": "$"])
        #expect(result.diagnostics.isEmpty)
    }
}
