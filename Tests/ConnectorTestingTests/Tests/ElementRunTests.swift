import Testing

@testable import ConnectorTesting

/// A connector whose events stand inside their records and have lists of devices.
@Suite struct `A test of a connector with lists` {
    private static let connector = """
        source: {topics: [shop.orders], group: apns-orders, event: "${payload}"}
        kafka: {bootstrap.servers: "${env:KAFKA}"}
        apns:
          environment: production
          key: "${file:AuthKey.p8}"
          key_id: ABC123DEFG
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        when: {"@value": [null]}
        notification:
          for_each: {items: "${devices}", as: device, when: {active: [true]}}
          device_token: ${device.token}
          ttl: 4h
          payload:
            aps:
              alert: ${texts[device.locale] ?? texts['en']}
              badge: ${device.badge ?? 0 | plus(1)}
        results: {outcomes: out, unregistered: dead-tokens, dead_letter: dead-letters}
        """

    private func expectPass(
        _ test: String, location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try ConnectorTestHarness.mismatches(test, connector: Self.connector) == [],
            sourceLocation: location)
    }

    @Test func `sees a request for each element, and an outcome for each at fault`() throws {
        try expectPass(
            """
            record:
              value:
                payload: '{"texts": {"en": "Hi", "de": "Hallo"}, "devices": [
                  {"active": true, "token": "aa", "locale": "de"}, {"token": "bb"}, 7,
                  {"active": true, "token": "cc", "badge": 4}, {"active": true}]}'
            answers: [{status: 200}, [{status: 503}, {status: 200}]]
            expect:
              requests:
                - {token: aa, payload: {aps: {alert: Hallo, badge: 1}}}
                - {token: cc, payload: {aps: {alert: Hi, badge: 5}}}
              outcomes:
                - {verdict: dropped, reason: wrong_type}
                - {verdict: dropped, reason: missing_field}
                - {verdict: accepted, device_token: aa}
                - {verdict: accepted, device_token: cc, attempts: 2}
            """)
    }

    @Test func `sees an empty list dropped without a dead letter`() throws {
        try expectPass(
            """
            record: {value: {payload: {devices: []}}}
            expect:
              requests: []
              outcomes: [{verdict: dropped, reason: no_devices}]
              dead_letters: []
            """)
    }

    @Test func `sees records filtered of which no element is left, and tombstones`() throws {
        for value in ["{payload: {devices: [{active: false}]}}", "null"] {
            try expectPass(
                """
                record: {value: \(value)}
                expect: {filtered: true, requests: [], outcomes: []}
                """)
        }
    }

    @Test func `names the template that an element does not fill`() throws {
        let event = "{payload: {texts: {en: Hi}, devices: [{active: true, tokn: aa}]}}"
        let found = try ConnectorTestHarness.mismatches(
            "record: {value: \(event)}\nexpect: {requests: [{token: aa}]}",
            connector: Self.connector)
        #expect(
            found.contains {
                $0.contains("${device.token} is absent (element 0)")
            }, "\(found)")
        #expect(found.contains { $0.contains("did you mean device.tokn?") }, "\(found)")
    }
}
