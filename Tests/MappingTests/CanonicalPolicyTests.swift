import Delivery
import Mapping
import Testing

/// A plan of canonical events with a policy, and the problems found.
private func compile(_ policy: MappingSource) -> (plan: MappingPlan?, problems: [MappingProblem]) {
    MappingPlan.compile(
        notification: nil,
        policy: MappingMember(
            key: "policy", keyLocation: MappingLocation(line: 6, column: 3), value: policy),
        when: nil, defaults: defaults, hash: sha256)
}

private func made(_ event: String, _ policy: MappingSource) throws -> Notification {
    var mapper = Mapper(plan: try #require(compile(policy).plan))
    var result = MappedRecord()
    mapper.map(TestRecord(json: event).makeRecord(), now: 1_767_261_600_000, into: &result)
    return try #require(result.notifications.first)
}

@Suite struct `A policy for canonical events` {
    @Test(
        arguments: [
            (["payload_too_large": "cut"], "'payload_too_large' cannot be 'cut'"),
            (["collaps_id_too_long": "hash"], "unknown key 'collaps_id_too_long' in policy"),
            (
                ["payload_too_large": "truncate"],
                "'truncate' is missing: the path of the string to cut"
            ),
            (
                ["unknown_aps_keys": "allow"],
                "'unknown_aps_keys' does not apply to canonical events"
            ),
        ] as [(MappingSource, String)])
    func `is rejected with`(_ policy: MappingSource, _ message: String) {
        #expect(compile(policy).problems.map(\.message) == [message])
        #expect(compile(policy).plan == nil)
    }

    @Test func `may truncate a text of the event's payload`() throws {
        let text = String(repeating: "x", count: 5000)
        let event = #"{"device_token":"ab","payload":{"aps":{"alert":{"body":"\#(text)"}}}}"#
        let policy: MappingSource = [
            "payload_too_large": "truncate", "truncate": "aps.alert.body",
        ]
        let cut = try made(event, policy)
        #expect(cut.drop == nil && cut.payload.count == 4096)
        #expect(cut.body.hasSuffix(#"xx…"}}}"#))
        let elsewhere = event.replacing("\"body\"", with: "\"title\"")
        #expect(try made(elsewhere, policy).drop?.reason == .payloadTooLarge)
    }

    @Test func `may replace a collapse ID that APNs rejects`() throws {
        let id = String(repeating: "a", count: 119)
        let event =
            #"{"device_token":"ab","collapse_id":"\#(id)","payload":{"aps":{"badge":1}}}"#
        #expect(try made(event, ["collapse_id_too_long": "drop"]).drop != nil)
        let hashed = try made(event, ["collapse_id_too_long": "hash"])
        #expect(hashed.drop == nil && hashed.collapseText.utf8.count == 64)
    }
}
