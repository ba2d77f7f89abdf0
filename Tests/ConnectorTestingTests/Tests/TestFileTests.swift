import Configuration
import Testing

@testable import ConnectorTesting

@Suite struct `A test file` {
    /// The findings of a file with one test, without the lines that show them.
    private func findings(_ test: String) -> [String] {
        Self.lines(ConnectorTestHarness.load(ConnectorTestHarness.file(test)).diagnostics)
    }

    private static func lines(_ diagnostics: [Diagnostic]) -> [String] {
        diagnostics.map { one in
            "\(one.line):\(one.column): \(one.message)" + (one.remedy.map { " | " + $0 } ?? "")
        }
    }

    @Test(arguments: [
        (
            "recrod: {value: null}\nrecord: {value: null}",
            ["4:5: unknown key 'recrod' in a test | did you mean 'record'?"]
        ),
        (
            "answers: []",
            ["3:5: a test without 'record' | write record: {value: {…}}: the event"]
        ),
        (
            "record: {key: a}",
            [
                "4:13: a record without a value | write value: {…}, or one of value_file, "
                    + "value_text, value_base64"
            ]
        ),
        (
            "record: {value: {}, value_text: a}",
            [
                "4:25: the record already has a value, from 'value' | "
                    + "remove 'value_text' or 'value'"
            ]
        ),
        (
            "record: {value: {open: yes}}",
            [
                "4:28: 'yes' is ambiguous: YAML parsers read it differently | "
                    + "quote it, or write true"
            ]
        ),
        (
            "record: {value: null, timestamp: yesterday}",
            [
                "4:38: 'timestamp' is not a valid time | "
                    + "write a time such as 2026-01-01T10:00:00Z, with an offset or Z"
            ]
        ),
        (
            "record: {value_base64: '*'}",
            ["4:28: 'value_base64' is not valid Base64 | write what base64 -w0 FILE prints"]
        ),
        (
            "record: {value: null}\nanswers: [{reason: Unregistered}]",
            ["5:15: an answer without 'status' | write status: 200, or lost: true"]
        ),
        (
            "record: {value: null}\nanswers: [[{status: 2000}]]",
            ["5:25: 'status' must be a whole number | write one from 200 to 599"]
        ),
        (
            "record: {value: null}\nanswers: [{lost: true, status: 200}]",
            ["5:36: 'lost' cannot be combined with 'status' | remove it, or remove 'lost'"]
        ),
        (
            "record: {value: null}\nexpect: {request: []}",
            ["5:14: unknown key 'request' in expect | did you mean 'requests'?"]
        ),
        (
            "record: {value: null}\nexpect: {requests: [{headers: {apns-expiraton: null}}]}",
            [
                "5:36: unknown key 'apns-expiraton' in headers | did you mean 'apns-expiration'?"
            ]
        ),
        (
            "record: {value: null}\nexpect: {outcomes: [{verdit: accepted}]}",
            ["5:26: unknown key 'verdit' in outcomes | did you mean 'verdict'?"]
        ),
        (
            "record: {value: null, key: {a: b}}",
            ["4:32: 'key' must be a string, not a map | write one string"]
        ),
        (
            "record: {value: null}\nskip:",
            [
                "5:10: 'skip' must be a string, not nothing | "
                    + "write why it is skipped, or remove 'skip'"
            ]
        ),
        (
            "record: {value: null}\nexpect: {filtered: no}",
            ["5:24: 'filtered' must be true or false | write true or false"]
        ),
        (
            "record: {value: null}\nexpect: {requests: [{payload: {}, payload_contains: {}}]}",
            [
                "5:39: 'payload' and 'payload_contains' are mutually exclusive | "
                    + "keep one: payload compares all members, payload_contains only some"
            ]
        ),
    ])
    func `is rejected with the position of a mistake and what to write instead`(
        test: String, expected: [String]
    ) {
        #expect(findings(test) == expected)
    }

    @Test func `needs a clock`() {
        let text = "tests:\n  - {name: a, record: {value: null}}\n"
        let expected = [
            "1:1: 'now' is missing | write now: 2026-01-01T10:00:00Z; it sets the clock"
        ]
        #expect(Self.lines(ConnectorTestHarness.load(text).diagnostics) == expected)
    }

    @Test func `may not have two tests with one name`() {
        let text = """
            now: 2026-01-01T10:00:00Z
            tests:
              - {name: a, record: {value: null}}
              - {name: a, record: {value: null}}
            """
        let expected = [
            "4:12: duplicate test name: it is already used in line 3 | "
                + "give each test its own name: state what it promises"
        ]
        #expect(Self.lines(ConnectorTestHarness.load(text).diagnostics) == expected)
    }

    @Test func `shows the line of a mistake`() {
        let text = ConnectorTestHarness.file("record: {value: null}\nexpcet: {}")
        let expected = """
            connectors/orders.test.yaml:5:5: error: unknown key 'expcet' in a test
                    expcet: {}
                    ^~~~~~
              did you mean 'expect'?
            """
        #expect(Diagnostic.report(ConnectorTestHarness.load(text).diagnostics) == expected)
    }

    @Test func `names a topic that the connector reads`() throws {
        let text = ConnectorTestHarness.file("record: {value: null, topic: shop.order}")
        let file = try #require(ConnectorTestHarness.load(text).file)
        let connector = try #require(
            ConnectorFile.load(
                bytes: Array(ConnectorTestHarness.connector.utf8),
                path: ConnectorTestHarness.connectorPath,
                environment: [:], mode: .inspect
            ).connector)
        let expected = [
            "4:34: the connector does not read the topic 'shop.order' | "
                + "it reads shop.orders, shop.returns"
        ]
        #expect(Self.lines(file.diagnostics(on: connector)) == expected)
    }
}
