import Configuration
import Testing

@testable import ConnectorTesting

@Suite struct `An update of a test file` {
    /// The file with the actual results as its expectations.
    private func updated(_ text: String) throws -> String {
        let file = try #require(ConnectorTestHarness.load(text).file)
        return String(
            decoding: file.updated(with: try ConnectorTestHarness.run(text)), as: UTF8.self)
    }

    /// Checks how a file is updated, and that a second update changes nothing.
    private func expect(
        _ text: String, becomes expected: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let first = try updated(text)
        #expect(first == expected, sourceLocation: location)
        #expect(try updated(first) == first, sourceLocation: location)
        let endings = try ConnectorTestHarness.run(first).map(\.ending)
        #expect(endings.allSatisfy { $0 == .passed }, sourceLocation: location)
    }

    @Test func `replaces only the lines of expect`() throws {
        let event = ConnectorTestHarness.event
        let text = """
            # stays
            now: 2026-01-01T10:00:00Z   # stays

            tests:
              - name: a  # stays
                record: {value: \(event)}
                expect:  # goes
                  # goes
                  requests: [{payload_contains: {order: 8, aps: {badge: 1}}, bytes: 1}]
                  outcomes: [{verdict: dropped, attempts: 9, source: {offset: 7}}]
                  dead_letters:
                    - {reason: x}
                  filtered: true  # goes

              # stays
              - name: passes
                record: {value: {type: paid}}
                expect: {   filtered:   true }  # stays
            """
        let expected = """
            # stays
            now: 2026-01-01T10:00:00Z   # stays

            tests:
              - name: a  # stays
                record: {value: \(event)}
                expect:
                  requests:
                    - payload_contains: {order: 7, aps: {}}
                      bytes: 87
                  outcomes:
                    - {verdict: accepted, attempts: 1, source: {offset: 0}}
                  dead_letters: []
                  filtered: false

              # stays
              - name: passes
                record: {value: {type: paid}}
                expect: {   filtered:   true }  # stays
            """
        try expect(text, becomes: expected)
    }

    @Test func `writes the channel of a broadcast in place of a token`() throws {
        let connector = ConnectorTestHarness.connector.replacing(
            #/notification:[^$]*\$\{token\}(?s:.*)(?=results:)/#,
            with: """
                notification:
                  broadcast: {channel: "${channel}"}
                  priority: 5
                  expiration: 0
                  live_activity: {event: end, timestamp: 1767261600}

                """)
        let text = ConnectorTestHarness.file(
            """
            record: {value: {type: shipped, channel: YQ==}}
            expect:
              requests: [{token: ab01, headers: {apns-priority: 10}}]
            """)
        let file = try #require(ConnectorTestHarness.load(text).file)
        let results = try ConnectorTestHarness.run(text, connector: connector)
        let updated = String(decoding: file.updated(with: results), as: UTF8.self)
        #expect(!updated.contains("token"))
        #expect(updated.contains("apns-channel-id: YQ=="), "\(updated)")
        let again = try ConnectorTestHarness.run(updated, connector: connector)
        #expect(again.allSatisfy { $0.ending == .passed })
    }

    @Test func `writes requests and outcomes if nothing is expected`() throws {
        let name = #""a: \"b\" #c""#
        let event = "{type: shipped, token: ab01, id: 7, name: \(name), expires_at: 1767276000}"
        let head = """
            now: 2026-01-01T10:00:00Z
            tests:
              - name: a
                record:
                  value: \(event)  # stays
            """
        let expected = """
            \(head)
                expect:
                  requests:
                    - token: ab01
                      headers:
                        apns-topic: com.example.shop
                        apns-push-type: alert
                        apns-priority: 10
                        apns-expiration: 1767276000
                      payload:
                        aps: {alert: {title: Order 7 shipped, body: "Hi a: \\"b\\" #c"}}
                        order: 7
                        region: none
                  outcomes:
                    - {verdict: accepted, status: 200, attempts: 1}

            """
        try expect(head + "\n", becomes: expected)
    }

    @Test func `completes tests in braces in place`() throws {
        let text = """
            now: 2026-01-01T10:00:00Z
            tests:
              - {name: a, record: {value: null}}  # stays
              - {name: b, record: {value: null}, expect: {requests: [{bytes: 1}]}}
            """
        let made = "expect: {requests: [], outcomes: [{verdict: dropped, reason: tombstone"
        let expected = """
            now: 2026-01-01T10:00:00Z
            tests:
              - {name: a, record: {value: null}, \(made), attempts: 0}]}}  # stays
              - {name: b, record: {value: null}, expect: {requests: []}}
            """
        try expect(text, becomes: expected)
    }

    @Test func `keeps the line breaks of the file`() throws {
        let text = ConnectorTestHarness.file(
            "record: {value: null}\nexpect: {requests: [{bytes: 1}]}")
        let windows = text.replacing("\n", with: "\r\n")
        #expect(try updated(windows) == updated(text).replacing("\n", with: "\r\n"))
    }

    @Test func `leaves a block scalar before a missing expectation unchanged`() throws {
        let text = """
            now: 2026-01-01T10:00:00Z
            tests:
              - name: a
                record:
                  value_text: |
                    {"type":
                      "paid"}

              - name: b
                record: {value: {type: paid}}
                expect: {filtered: true}
            """
        let expected = text.replacing(
            "\"paid\"}\n", with: "\"paid\"}\n    expect:\n      requests: []\n      outcomes: []\n")
        try expect(text, becomes: expected)
    }
}
