import Configuration
import Foundation
import Testing

@Suite struct `The example event next to a connector` {
    private func diagnostics(_ text: String, example: String) throws -> [Diagnostic] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "orders.yaml")
        try Data(text.utf8).write(to: file)
        try Data(example.utf8).write(to: folder.appending(path: "orders.example.json"))
        return ConnectorFile.load(
            path: file.path, environment: try Example.environment(), mode: .lint
        ).diagnostics
    }

    private func warnings(_ text: String, example: String) throws -> [String] {
        try diagnostics(text, example: example).map(\.message)
    }

    @Test(arguments: [
        ("device_token: ${token}", "device_token: ${token}\n  collapse_id: ${@key}"),
        ("payload: {aps: {badge: 1}}", "payload: {aps: {badge: 1}, x: \"${@headers.x}\"}"),
        ("notification:", "when: {\"@headers\": {a: [b]}}\nnotification:"),
        ("notification:", "when: {\"@topic\": [other], t: [1]}\nnotification:"),
    ])
    func `is not blamed for the key and headers, which it does not have`(
        _ old: String, _ new: String
    ) throws {
        let text = Example.text.replacing(old, with: new)
        #expect(try warnings(text, example: #"{"token":"aa"}"#) == [])
    }

    @Test func `has a time that a clock could have`() throws {
        let text = Example.text.replacing("ttl: 4h", with: "ttl: 4h\n  event_time: ${@timestamp}")
        #expect(try warnings(text, example: #"{"token":"aa"}"#) == [])
    }

    @Test func `is reported if it is not an event at all`() throws {
        #expect(
            try warnings(Example.text, example: "nope") == [
                "the event in orders.example.json is dropped as unparsable: the value is not valid"
                    + " JSON: expected a value at byte 0"
            ])
    }

    private func findings(_ changes: [(String, String)], _ example: String) throws -> [String] {
        var text = Example.text
        for (old, new) in changes { text = text.replacing(old, with: new) }
        return try diagnostics(text, example: example).map {
            "\($0.line):\($0.column): \($0.message) | \($0.remedy ?? "")"
        }
    }

    @Test func `proves a label wrong that leads nowhere`() throws {
        let labels = ("results:", "results:\n  labels: {shop: \"${shpo}\", key: \"${@key}\"}")
        #expect(
            try findings([labels], #"{"token":"aa","shop":"x"}"#).map { $0.drop { $0 != " " } } == [
                " the event in orders.example.json has no value for the label 'shop': ${shpo} is"
                    + " absent | the event has token, shop; did you mean shop? or ${shpo ?? \"…\"}"
            ])
        #expect(try findings([labels], #"{"token":"aa","shpo":"x"}"#) == [])
        let optional = ("results:", "results:\n  labels: {shop: \"${shpo?}\"}")
        #expect(try findings([optional], #"{"token":"aa","shop":"x"}"#) == [])
    }

    private static let blocks = """
        notifications:
          - when: {tpye: [a]}
            device_token: ${token}
            ttl: 4h
            payload: {aps: {badge: 1}}
          - when: {type: [b]}
            device_token: ${token}
            ttl: 4h
            payload: {aps: {badge: 2}}

        """

    private func findings(blocks: String, _ example: String) throws -> [String] {
        let start = try #require(Example.text.range(of: "notification:"))
        let end = try #require(Example.text.range(of: "results:"))
        let text = Example.text.replacingCharacters(
            in: start.lowerBound..<end.lowerBound, with: blocks)
        return try diagnostics(text, example: example).map {
            "\($0.message) | \($0.remedy ?? "")"
        }
    }

    @Test func `proves the condition of a block wrong though another one matches`() throws {
        #expect(
            try findings(blocks: Self.blocks, #"{"token":"aa","type":"b"}"#) == [
                "the event in orders.example.json does not match this block: tpye is absent, but"
                    + " must match [\"a\"] | the event has token, type; did you mean type?"
            ])
        let right = Self.blocks.replacing("tpye", with: "type")
        #expect(try findings(blocks: right, #"{"token":"aa","type":"b"}"#) == [])
        let other = Self.blocks.replacing("tpye: [a]", with: "country: [a]")
        #expect(try findings(blocks: other, #"{"token":"aa","type":"b"}"#) == [])
        let absent = Self.blocks.replacing("tpye: [a]", with: "tpye: [{exists: false}]")
        #expect(try findings(blocks: absent, #"{"token":"aa","type":"b"}"#) == [])
    }

    @Test func `proves the condition of 'for_each' wrong, with the nearest name`() throws {
        let block = """
            notification:
              for_each: {items: "${users}", as: user, when: {actve: [true]}}
              device_token: ${user.token}
              ttl: 4h
              payload: {aps: {badge: 1}}

            """
        let event = #"{"users":[{"token":"aa","active":true}]}"#
        #expect(
            try findings(blocks: block, event) == [
                "the event in orders.example.json is skipped: ${users} has no element that matches"
                    + " 'when' of 'for_each' | the element has token, active; did you mean active?"
            ])
        let two = """
            notifications:
              - for_each: {items: "${users}", as: user, when: {actve: [true]}}
                device_token: ${user.token}
                ttl: 4h
                payload: {aps: {badge: 1}}
              - for_each: {items: "${users}", as: user, when: {active: [true]}}
                device_token: ${user.token}
                ttl: 4h
                payload: {aps: {badge: 1}}

            """
        #expect(
            try findings(blocks: two, event) == [
                "the event in orders.example.json has no element for this block: actve is absent,"
                    + " but must match [true] | the element has token, active; did you mean active?"
            ])
    }

    @Test func `is to be renamed where a canonical field is misspelled in it`() throws {
        let found = try findings(
            blocks: "", #"{"device_tokn":"aa","payload":{"aps":{"badge":1}}}"#)
        #expect(
            found.first
                == "the event in orders.example.json is dropped as missing_field: 'device_token' is"
                + " absent | the event has device_tokn, payload; rename device_tokn to device_token"
                + " in the event")
    }
}
