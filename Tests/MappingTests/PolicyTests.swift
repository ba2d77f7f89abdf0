import Delivery
import Mapping
import Testing

private let long = String(repeating: "x", count: 5000)

private func block(_ payload: MappingSource, _ path: String) -> MappingSource {
    minimal.with([
        "payload": payload,
        "policy": [
            "payload_too_large": "truncate", "truncate": MappingSource(stringLiteral: path),
        ],
    ])
}

@Suite struct `A payload that is too large` {
    private let source = block(
        ["aps": ["alert": ["title": "T", "body": "${v}"]], "rest": "${rest?}"], "aps.alert.body")

    private func made(_ text: String, rest: String? = nil) throws -> Notification {
        let more = rest.map { ",\"rest\":\($0)" } ?? ""
        return try notification("{\"token\":\"ab\",\"v\":\(text)\(more)}", source)
    }

    @Test func `loses only the end of the named text`() throws {
        let made = try made("\"\(long)\"", rest: "[1]")
        #expect(made.drop == nil)
        #expect(made.payload.count == 4096)
        #expect(made.body.hasPrefix(#"{"aps":{"alert":{"title":"T","body":"xxx"#))
        #expect(made.body.hasSuffix(#"xxx…"}},"rest":[1]}"#))
    }

    @Test func `stays unchanged if it fits`() throws {
        let overhead = #"{"aps":{"alert":{"title":"T","body":""}}}"#.utf8.count
        let text = String(repeating: "x", count: 4096 - overhead)
        #expect(try made("\"\(text)\"").body.contains("…") == false)
        let cut = try made("\"\(text)x\"")
        #expect(cut.payload.count == 4096)
        #expect(cut.body.contains("xx…"))
    }

    @Test(arguments: ["é", "👍🏽", "👩‍👩‍👧‍👦", "e\u{301}", "🇩🇪"])
    func `is not cut inside a grapheme cluster`(_ character: String) throws {
        for shift in 0..<character.utf8.count {
            let text =
                String(repeating: "x", count: shift)
                + String(repeating: character, count: 5000 / character.utf8.count)
            let made = try made("\"\(text)\"")
            #expect(made.drop == nil)
            #expect((4096 - character.utf8.count + 1...4096).contains(made.payload.count))
            let kept = made.body.dropFirst(#"{"aps":{"alert":{"title":"T","body":""#.count)
                .dropLast(#"…"}}}"#.count).dropFirst(shift)
            #expect(made.body.hasSuffix(#"…"}}}"#))
            #expect(kept.allSatisfy { String($0) == character })
        }
    }

    @Test func `is measured with the escapes of JSON`() throws {
        let text = String(repeating: #"\"\\\n\u0001"#, count: 1000)
        let made = try made("\"\(text)\"")
        #expect(made.drop == nil)
        #expect((4090...4096).contains(made.payload.count))
        let again = try notification(
            "{\"token\":\"ab\",\"v\":\(made.body)}", minimal.with(["payload": "${v}"]))
        #expect(again.drop == nil)
    }

    @Test func `is dropped if nothing of the text could stay`() throws {
        let rest = "\"\(String(repeating: "y", count: 4060))\""
        #expect(try made("\"\(long)\"", rest: rest).drop?.reason == .payloadTooLarge)
        #expect(try made("\"short\"", rest: "\"\(long)\"").drop?.reason == .payloadTooLarge)
        let one = "👩‍👩‍👧‍👦" + String(repeating: "\u{301}", count: 3000)
        #expect(try made("\"\(one)\"").drop?.reason == .payloadTooLarge)
    }

    @Test func `is dropped if the event has no text there`() throws {
        let source = block("${v}", "aps.alert.body")
        let other = "{\"token\":\"ab\",\"v\":{\"aps\":{\"alert\":\"\(long)\"}}}"
        #expect(try notification(other, source).drop?.reason == .payloadTooLarge)
        let fits = "{\"token\":\"ab\",\"v\":{\"aps\":{\"alert\":{\"body\":\"\(long)\"}}}}"
        #expect(try notification(fits, source).payload.count == 4096)
    }

    @Test func `is cut to the limit of its push type`() throws {
        let voip = block(["text": "${v}"], "text").with(["push_type": "voip"])
        let made = try notification("{\"token\":\"ab\",\"v\":\"\(long)\(long)\"}", voip)
        #expect(made.payload.count == 5120)
    }
}

@Suite struct `A policy` {
    @Test(
        arguments: [
            (["unknown_aps_keys": "ignore"], "'unknown_aps_keys' cannot be 'ignore'"),
            (["payload_too_large": "cut"], "'payload_too_large' cannot be 'cut'"),
            (["colapse_id_too_long": "hash"], "unknown key 'colapse_id_too_long' in policy"),
            (
                ["payload_too_large": "truncate"],
                "'truncate' is missing: the path of the string to cut"
            ),
            (
                ["truncate": "aps.alert"],
                "'truncate' is only valid with 'payload_too_large: truncate'"
            ),
            (
                ["payload_too_large": "truncate", "truncate": "aps.alrt"],
                "the path in 'truncate' does not exist: the payload has no 'alrt' there"
            ),
            (
                ["payload_too_large": "truncate", "truncate": "aps"],
                "the path in 'truncate' must lead to a string"
            ),
            (
                ["payload_too_large": "truncate", "truncate": "${aps.alert}"],
                "'truncate' cannot be '${aps.alert}': '$' can not start a path"
            ),
            (
                ["payload_too_large": "truncate", "truncate": "aps[*].alert"],
                "'truncate' cannot be 'aps[*].alert': it is not a single path"
            ),
        ] as [(MappingSource, String)])
    func `is rejected with`(_ policy: MappingSource, _ message: String) {
        let found = problems(minimal.with(["policy": policy])).map(\.message)
        #expect(
            found.map { $0.replacing("can not", with: "cannot") } == [
                message.replacing("can not", with: "cannot")
            ])
    }

    @Test func `may allow what Apple does not document`() {
        let payload: MappingSource = ["aps": ["alert": "x", "new": 1]]
        #expect(problems(minimal.with(["payload": payload])).count == 1)
        let lenient = minimal.with([
            "payload": payload, "policy": ["unknown_aps_keys": "allow"],
        ])
        #expect(problems(lenient).isEmpty)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
        (
            String(repeating: "a", count: 119),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
        ),
        (
            String(repeating: "é", count: 100),
            "f42ec48e1e4b487e590e0b3d4e58437c8327efa855d769709f4942a4f73a7eb6"
        ),
        ("é", "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"),
    ])
    func `may replace a collapse ID that APNs rejects by its SHA-256`(
        _ text: String, _ result: String
    ) throws {
        let source = minimal.with([
            "collapse_id": "${c}", "policy": ["collapse_id_too_long": "hash"],
        ])
        let made = try notification("{\"token\":\"ab\",\"c\":\"\(text)\"}", source)
        #expect(made.drop == nil)
        #expect(made.collapseText == result)
    }

    @Test func `does not replace an empty collapse ID: unrelated pushes would collapse`() throws {
        let source = minimal.with([
            "collapse_id": "${c}", "policy": ["collapse_id_too_long": "hash"],
        ])
        let made = try notification("{\"token\":\"ab\",\"c\":\"\"}", source)
        #expect(made.drop?.reason == .invalidCollapseID)
    }
}
