import Configuration
import Mapping
import Testing

private let shipped = """
    {"type": "record", "name": "Shipped", "fields": [{"name": "token", "type": "string"},
     {"name": "parcel", "type": "string"}, {"name": "items", "type": {"type": "array",
      "items": "string"}}]}
    """

private let refunded = """
    {"type": "record", "name": "Refunded", "fields": [{"name": "token", "type": "string"},
     {"name": "amount", "type": "int"}, {"name": "vip", "type": "boolean"}]}
    """

private let keySchema = """
    {"type": "record", "name": "Key", "fields": [{"name": "customer", "type": "long"},
     {"name": "tags", "type": {"type": "array", "items": {"type": "record", "name": "Tag",
      "fields": [{"name": "name", "type": "string"}]}}}]}
    """

private func schema(_ texts: [String]) throws -> RecordSchema {
    try RecordSchema(
        texts.enumerated().map { .init(path: "\($0).avsc", text: Array($1.utf8)) })
}

/// What is found in a connector that has more lines.
private func findings(
    _ lines: String, _ texts: [String] = [shipped, refunded], key: [String] = [],
    source: String = ""
) throws -> [String] {
    let schemas = EventSchemas(
        value: texts.isEmpty ? nil : try schema(texts), key: key.isEmpty ? nil : try schema(key))
    return schemaFindings(lines, schemas, source: source)
}

/// Blocks, each with the text that it shows of the events that meet its condition.
private func blocks(_ blocks: [(when: String, text: String)]) -> String {
    "notifications:\n"
        + blocks.map { when, text in
            """
              - when: {\(when)}
                device_token: ${token}
                ttl: 1h
                payload: {aps: {alert: '\(text)'}}
            """
        }.joined(separator: "\n")
}

@Suite struct `A block for some of the events` {
    @Test func `is an error where it reads what only the others have`() throws {
        let found = try findings(blocks([("parcel: [{exists: true}]", "${amount}")]))
        #expect(
            found == [
                "11:29: error: '${amount}': events that match 'when' have no 'amount' in the schema"
                    + " | the members are token, parcel, items"
            ])
    }

    @Test func `reads what events have that meet its condition`() throws {
        let found = try findings(
            blocks([
                ("parcel: [{exists: true}]", "${parcel}"), ("amount: [1]", "${amount}"),
                ("token: [a]", "${amount} ${parcel}"),
            ]))
        #expect(found == [])
    }

    @Test func `is an error where the condition of the connector leaves others only`() throws {
        let found = try findings(
            "when: {vip: [true]}\n" + blocks([("token: [a]", "${parcel}")]))
        #expect(found.map { $0.contains("events that match 'when' have no 'parcel'") } == [true])
    }

    @Test func `does not narrow the events of the next one`() throws {
        let found = try findings(
            blocks([("amount: [1]", "${amount}"), ("token: [a]", "${parcel}")]))
        #expect(found == [])
    }

    @Test func `is an error if its condition takes members of several schemas`() throws {
        let found = try findings(blocks([("parcel: [a], amount: [1]", "a")]))
        #expect(
            found == [
                "8:11: error: no events can match all of this: its members are in different schemas"
                    + " | write a block for each kind of event, or $or"
            ])
    }

    @Test(arguments: [
        "$or: [{parcel: [a]}, {amount: [1]}]", "amount: [{exists: false}]", "token: [a, b]",
    ])
    func `may read everything where all events may meet its condition`(when: String) throws {
        let found = try findings(blocks([(when, "${parcel} ${amount}")]))
        #expect(!found.contains { $0.contains("error") }, "\(found)")
    }
}

@Suite struct `Events without a notification` {
    private func found(_ fields: [String]) throws -> [String] {
        let members = fields.map { field in
            let parts = field.split(separator: " ", maxSplits: 1)
            return #"{"name": "\#(parts[0])", "type": \#(parts[1])}"#
        }
        let list = members.joined(separator: ", ")
        let record = #"{"type": "record", "name": "E", "fields": [\#(list)]}"#
        return try findings("", [record]).map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    @Test func `need a destination and a payload in their schema`() throws {
        #expect(
            try found([#"id "int""#, #"device_tokn "string""#]) == [
                "error: events have no 'device_token' or 'device_tokens' or 'channel_id' in the"
                    + " schema, and the connector has no 'notification'"
                    + " | write a 'notification' with device_token: ${device_tokn}",
                "error: events have no 'payload' in the schema, and the connector has no"
                    + " 'notification' | write a 'notification' with payload: ${path.to.it}",
            ])
    }

    @Test func `need values of the right kinds`() throws {
        let map = #"{"type": "map", "values": "string"}"#
        #expect(
            try found([
                #"device_token "string""#, #"payload "string""#, "priority \(map)",
                #"ttl ["null", "int"]"#, #"collapse_id "null""#,
            ]) == [
                "error: 'priority' is an object in the schema, not a string"
                    + " | write a 'notification' that takes it from another member",
                "error: 'payload' is a string in the schema, not an object"
                    + " | write a 'notification' with payload: ${payload | parse}",
            ])
    }

    @Test func `may have a list of device tokens, and any payload`() throws {
        let map = #"{"type": "map", "values": "string"}"#
        let list = #"{"type": "array", "items": "string"}"#
        #expect(try found(["device_tokens \(list)", "payload \(map)"]) == [])
    }
}

@Suite struct `A part of a key that its schema does not have` {
    private func found(
        _ text: String, key: [String] = [keySchema], format: String = "avro"
    ) throws -> [String] {
        try findings(
            """
            notification:
              {device_token: "${token}", ttl: 1h, payload: {aps: {alert: '\(text)'}}}
            """, [shipped], key: key, source: ", key_format: \(format)"
        ).map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    @Test func `is named with what to write instead`() throws {
        #expect(
            try found("${@key.custmer}") == [
                "error: '${@key.custmer}': '@key' has no 'custmer' in the schema"
                    + " | did you mean 'customer'?"
            ])
        #expect(
            try found("${@key.tags.name ?? \"x\"}").first?.hasPrefix(
                "warning: '${@key.tags.name ?? \"x\"}': '@key.tags' is an array in the schema")
                == true)
    }

    @Test func `is not a part that it has, or the whole key`() throws {
        #expect(try found("${@key.customer} ${@key.tags[0].name} ${@key}") == [])
    }

    @Test func `is found although the schema of values is not known`() throws {
        let found = try findings(
            """
            notification: {device_token: "${@key.x}", ttl: 1h, payload: {aps: {alert: a}}}
            """, [], key: [keySchema], source: ", key_format: avro")
        #expect(found.map { $0.contains("'@key' has no 'x'") } == [true])
    }

    @Test func `has the wrong kind as other values do`() throws {
        #expect(
            try found("${@key.tags}") == [
                "error: '${@key.tags}' is an array in the schema, not a string or an object"
                    + " | write ${@key.tags | join(\", \")}, or one element"
            ])
    }

    @Test func `is refused with keys in another format`() throws {
        #expect(
            try found("a", format: "protobuf") == [
                "error: a schema of keys in Avro does not fit 'key_format: protobuf'"
                    + " | write key_format: avro in 'source', or check this connector without"
                    + " --key-schema"
            ])
        let text = try findings(
            "notification: {device_token: '${token}', ttl: 1h, payload: {aps: {}}}", [shipped],
            key: [keySchema])
        #expect(text.map { $0.contains("does not fit keys that are read as text") } == [true])
    }
}

@Suite struct `A Live Activity whose event has a schema` {
    @Test func `is checked in all its parts`() throws {
        let found = try findings(
            """
            notification:
              device_token: ${token}
              priority: 5
              expiration: ${amount}
              live_activity:
                event: update
                timestamp: ${amunt}
                content_state: {parcel: "${parcl}"}
            """, [refunded])
        #expect(
            found.map { $0.contains("did you mean 'amount'?") || $0.contains("no 'parcl'") }
                == [true, true], "\(found)")
    }
}
