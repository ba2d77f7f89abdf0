import Testing

@testable import ConnectorTesting

@Suite struct `A test of a connector` {
    private static let record = "record: {value: \(ConnectorTestHarness.event)}"

    private func expectPass(
        _ test: String, location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try ConnectorTestHarness.mismatches(test) == [], sourceLocation: location)
    }

    // MARK: Faults

    @Test func `finds a push in doubt after a lost response`() throws {
        try expectPass(
            """
            \(Self.record)
            answers: [{lost: true}]
            expect:
              outcomes: [{verdict: unknown, status: null, attempts: 1}]
              dead_letters: []
            """)
    }

    @Test func `sees a 410 unregister a device token`() throws {
        try expectPass(
            """
            \(Self.record)
            answers: [{status: 410, reason: Unregistered, timestamp: 1767225000000}]
            expect:
              outcomes: [{verdict: rejected, reason: Unregistered, status: 410}]
              unregistered: [{device_token: ab01, timestamp: 1767225000000}]
              dead_letters: []
            """)
    }

    @Test func `sees labels in outcomes and dead letters`() throws {
        let old = "dead_letter: dead-letters"
        let connector = ConnectorTestHarness.connector.replacing(
            old, with: old + #", labels: {order: "${id}", day: "${day}"}"#)
        let test = """
            \(Self.record)
            answers: [{status: 400, reason: PayloadEmpty}]
            expect:
              outcomes: [{verdict: rejected, labels: {order: 7, day: null}}]
              dead_letters: [{reason: PayloadEmpty, labels: {order: 7, day: null}}]
            """
        #expect(try ConnectorTestHarness.mismatches(test, connector: connector) == [])
    }

    @Test func `skips back-offs, and shows when the response came`() throws {
        try expectPass(
            """
            \(Self.record)
            answers: [[{status: 429, reason: TooManyRequests}, {status: 503}, {status: 200}]]
            expect:
              requests: [{token: ab01}]
              outcomes:
                - {verdict: accepted, attempts: 3, answered_at: 2026-01-01T10:00:00.591Z}
            """)
    }

    @Test func `gets the last response for every further attempt`() throws {
        try expectPass(
            """
            \(Self.record)
            answers: [{status: 503, reason: ServiceUnavailable}]
            expect:
              outcomes: [{verdict: rejected, reason: ServiceUnavailable, attempts: 20}]
              dead_letters: [{reason: ServiceUnavailable, attempts: 20, value: {name: Ana}}]
            """)
    }

    @Test func `ends if a rejected credential suspends sending permanently`() throws {
        let expected = [
            "7: expected 1 outcome, got none",
            "sending suspended: APNs responded 403 InvalidProviderToken; the record waits until "
                + "the credential is fixed, without an outcome",
        ]
        let test = """
            \(Self.record)
            answers: [{status: 403, reason: InvalidProviderToken}]
            expect:
              outcomes: [{verdict: rejected}]
            """
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `sees an event expire while sending is suspended for hours`() throws {
        let event = ConnectorTestHarness.event.dropLast() + ", expires_at: 1767268800}"
        try expectPass(
            """
            record: {value: \(event)}
            answers: [{status: 403, reason: InvalidProviderToken}]
            expect:
              outcomes: [{verdict: dropped, reason: expired, last_status: 403}]
            """)
    }

    @Test func `drops an event that has expired`() throws {
        let event = ConnectorTestHarness.event.dropLast() + ", expires_at: 1767261600}"
        try expectPass(
            """
            record: {value: \(event)}
            expect: {requests: [], outcomes: [{reason: expired, attempts: 0}], dead_letters: []}
            """)
    }

    @Test func `names the path that an event lacks`() throws {
        let expected = [
            "6: expected 1 request, got none",
            "dropped: missing_field: connectors/orders.yaml:11:17: ${token} is absent",
            "the event has type, id",
        ]
        let test = """
            record: {value: {type: shipped, id: 7}}
            expect:
              requests: [{token: ab01}]
            """
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `shows that a record was skipped`() throws {
        let expected = [
            "5: expected 1 request, got none", "the record was skipped: 'when' did not match",
            "connectors/orders.yaml:9:8: type is \"returned\", but must match [\"shipped\"]",
        ]
        let test = """
            record: {value: {type: returned}}
            expect: {requests: [{token: ab01}]}
            """
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `fails if nothing is expected`() throws {
        let remark = "write expect: below it, or let --update write the actual results"
        #expect(
            try ConnectorTestHarness.mismatches(Self.record) == ["3: nothing is expected", remark])
    }

    // MARK: Comparisons

    @Test func `compares a whole payload as JSON, whatever its order`() throws {
        try expectPass(
            """
            \(Self.record)
            expect:
              requests:
                - payload:
                    region: none
                    order: 7
                    aps: {alert: {body: Hi Ana, title: Order 7 shipped}}
            """)
        let test = """
            \(Self.record)
            expect:
              requests:
                - payload:
                    order: 7.0
                    aps: {alert: {body: Hi, title: Order 7 shipped}}
            """
        let expected = [
            "8: requests[0].payload.order", "- 7.0", "+ 7",
            "9: requests[0].payload.aps.alert.body", "- \"Hi\"", "+ \"Hi Ana\"",
            "8: requests[0].payload.region", "- (absent)", "+ \"none\"",
        ]
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `compares a part of a payload by payload_contains`() throws {
        try expectPass(
            """
            \(Self.record)
            expect: {requests: [{payload_contains: {aps: {alert: {body: Hi Ana}}}, bytes: 87}]}
            """)
    }

    @Test func `expects no header if it is given as null`() throws {
        try expectPass(
            """
            \(Self.record)
            expect: {requests: [{headers: {apns-expiration: null, apns-priority: 10}}]}
            """)
        let test = """
            \(Self.record)
            expect: {requests: [{headers: {apns-priority: null, apns-collapse-id: a}}]}
            """
        let expected = [
            "5: requests[0].headers.apns-priority", "- (absent)", "+ \"10\"",
            "5: requests[0].headers.apns-collapse-id", "- \"a\"", "+ (absent)",
        ]
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `explains an unexpected request`() throws {
        let event = ConnectorTestHarness.event.dropLast() + ", expires_at: 1767276000}"
        let test = """
            record: {value: \(event)}
            expect: {requests: []}
            """
        let expected = [
            "5: expected no request, got 1",
            "apns-expiration 1767276000 is after now (2026-01-01T10:00:00Z)",
        ]
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `shows which template used its default, and why`() throws {
        let test = """
            record: {value: {type: shipped, token: ab01, id: 7}}
            expect:
              requests:
                - payload_contains: {aps: {alert: {body: Hi Ana}}}
                  headers: {apns-expiration: 0}
            """
        let expected = [
            "8: requests[0].headers.apns-expiration", "- \"0\"", "+ (absent)",
            "because ${expires_at?} found no expires_at",
            "7: requests[0].payload_contains.aps.alert.body", "- \"Hi Ana\"", "+ \"Hi there\"",
            "because ${name ?? \"there\"} found no name",
        ]
        #expect(try ConnectorTestHarness.mismatches(test) == expected)
    }

    @Test func `finds the template of an expiration that is written as a ttl`() throws {
        let test = """
            record: {value: {type: shipped, token: ab01, id: 7}}
            expect: {requests: [{headers: {apns-expiration: null}}]}
            """
        let connector = ConnectorTestHarness.connector.replacing(
            "expiration: ${expires_at?}", with: "ttl: ${life ?? 60}")
        #expect(
            try ConnectorTestHarness.mismatches(test, connector: connector).last
                == "because ${life ?? 60} found no life")
    }

    // MARK: Records

    @Test func `hands over key, headers, topic and time`() throws {
        try expectPass(
            """
            record:
              value: \(ConnectorTestHarness.event)
              key: user-1
              headers: [[traceparent, 00-ab], [x, null]]
              timestamp: 2026-01-01T09:58:00Z
              topic: shop.returns
            answers: [{status: 400, reason: BadDeviceToken}]
            expect:
              outcomes:
                - event_time: 2026-01-01T09:58:00.000Z
                  suspect: true
                  source: {topic: shop.returns, partition: 0, offset: 0}
              dead_letters:
                - {key: user-1, headers: {traceparent: 00-ab, x: null}, topic: shop.returns}
            """)
    }

    @Test(arguments: [
        ("value: null", "tombstone"), ("value_text: '{\"a\":'", "unparsable"),
        ("value_base64: AAAA", "unparsable"), ("value: hello", "missing_field"),
    ])
    func `hands over any value`(value: String, reason: String) throws {
        let test = """
            record: {\(value)}
            expect: {requests: [], outcomes: [{verdict: dropped, reason: \(reason)}]}
            """
        let always = ConnectorTestHarness.connector.replacing("when: {type: [shipped]}\n", with: "")
        #expect(try ConnectorTestHarness.mismatches(test, connector: always) == [])
    }

    @Test func `has only the environment variables of its file`() throws {
        let test = """
            \(Self.record)
            expect: {requests: [{payload_contains: {region: south}}]}
            """
        let head = "now: 2026-01-01T10:00:00Z\nenvironment: {REGION: south}"
        let results = try ConnectorTestHarness.run(ConnectorTestHarness.file(test, head: head))
        #expect(results.first?.ending == .passed)
    }

    @Test func `can be skipped with a reason`() throws {
        let results = try ConnectorTestHarness.run(
            ConnectorTestHarness.file("skip: not yet\n\(Self.record)"))
        #expect(results.first?.ending == .skipped("not yet"))
    }
}
