import Delivery
import Mapping
import Testing

@Suite struct `Half of a surrogate pair in an event` {
    private func made(_ json: String, isStrict: Bool) throws -> Notification {
        var defaults = defaults
        defaults.isStrictUnicode = isStrict
        let source = minimal.with([
            "collapse_id": "${id?}", "payload": ["aps": ["alert": "${x}"], "y": "${y?}"],
        ])
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        var result = MappedRecord()
        mapper.map(TestRecord(json: json).makeRecord(), now: 0, into: &result)
        return result.notifications[0]
    }

    @Test(arguments: [
        (#"\ud800"#, "\u{FFFD}"), (#"\udc00\ud800"#, "\u{FFFD}\u{FFFD}"),
        (#"a\ud83dx"#, "a\u{FFFD}x"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
        (#"\ud83d\n"#, #"\u{FFFD}\n"#), (#"\ud83d\u0041"#, "\u{FFFD}A"),
        (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
    ])
    func `is the replacement character, as browsers read it`(
        _ written: String, _ sent: String
    ) throws {
        let sent = sent.replacing("\\u{FFFD}", with: "\u{FFFD}")
        let made = try made(
            #"{"token":"ab","x":"\#(written)","y":{"\#(written)":["\#(written)"]}}"#,
            isStrict: false)
        #expect(made.drop == nil)
        #expect(made.body == #"{"aps":{"alert":"\#(sent)"},"y":{"\#(sent)":["\#(sent)"]}}"#)
    }

    @Test(arguments: [#"\ud800"#, #"\udc00\ud800"#, #"\ud83dx"#])
    func `drops the event with strict_unicode, wherever it is`(_ text: String) throws {
        let made = try made(#"{"token":"ab","x":"\#(text)"}"#, isStrict: true)
        #expect(
            made.drop
                == Drop(
                    .unparsable,
                    "connectors/orders.yaml: the value is not valid JSON: unpaired surrogate",
                    specifics: " at byte 19"))
    }

    @Test func `does not hide what is wrong with other escapes`() throws {
        for text in [#"\ud83d\u12"#, #"\ud8"#, #"\x"#] {
            let made = try made(#"{"token":"ab","x":"\#(text)"}"#, isStrict: false)
            #expect(made.drop?.reason == .unparsable)
        }
    }
}
