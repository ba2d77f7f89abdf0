import Configuration
import Mapping
import Testing

private let customer = """
    {"type": "record", "name": "Customer", "namespace": "shop", "fields": [
     {"name": "device_token", "type": "string"}, {"name": "name", "type": ["null", "string"]}]}
    """

private let order = """
    {"type": "record", "name": "Order", "namespace": "shop", "fields": [
     {"name": "id", "type": "long"},
     {"name": "status", "type": {"type": "enum", "name": "Status", "symbols": ["NEW", "SHIPPED"]}},
     {"name": "customer", "type": "Customer"},
     {"name": "items", "type": {"type": "array", "items": {"type": "record", "name": "Item",
      "fields": [{"name": "name", "type": "string"}, {"name": "count", "type": "int"},
                 {"name": "gift", "type": "boolean"}]}}},
     {"name": "attributes", "type": {"type": "map", "values": "string"}},
     {"name": "note", "type": ["null", "string", {"type": "array", "items": "string"}]}]}
    """

private let orderInProtobuf = """
    syntax = "proto3";
    import "shop/customer.proto";
    message Order {
      int64 id = 1; enum Status { NEW = 0; SHIPPED = 1; } Status status = 2;
      Customer customer = 3; repeated Item items = 4; map<string, string> attributes = 5;
      oneof note { string text = 6; Texts texts = 7; }
    }
    message Item { string name = 1; int32 count = 2; bool gift = 3; }
    message Texts { repeated string texts = 1; }
    """

private let customerInProtobuf = """
    syntax = "proto3"; message Customer { string device_token = 1; optional string name = 2; }
    """

private func file(_ path: String, _ text: String) -> RecordSchema.File {
    RecordSchema.File(path: path, text: Array(text.utf8))
}

private let avro = [file("order.avsc", order), file("customer.avsc", customer)]
private let protobuf = [
    file("api/shop/customer.proto", customerInProtobuf), file("order.proto", orderInProtobuf),
]

/// The findings of a connector for orders, whose notification has more lines.
private func findings(
    _ notification: String, _ files: [RecordSchema.File] = avro, format: String = "avro",
    more: String = ""
) throws -> [String] {
    let schemas = EventSchemas(value: try RecordSchema(files))
    return schemaFindings(notification, schemas, format: format, source: more)
}

/// The findings of an alert that shows a text.
private func findings(
    showing text: String, _ files: [RecordSchema.File] = avro, format: String = "avro"
) throws -> [String] {
    try findings(
        """
        notification:
          {device_token: "${customer.device_token}", ttl: 1h, payload: {aps: {alert: '\(text)'}}}
        """, files, format: format
    ).map { finding in String(finding.drop { $0 != " " }.dropFirst()) }
}

@Suite struct `A path that events cannot have` {
    @Test(arguments: [
        (
            "${custmer.name}",
            "error: '${custmer.name}': events have no 'custmer' in the schema"
                + " | did you mean 'customer'?"
        ),
        (
            "${customer.age}",
            "error: '${customer.age}': 'customer' has no 'age' in the schema"
                + " | the members are device_token, name"
        ),
        (
            "${items.name}",
            "error: '${items.name}': 'items' is an array in the schema: 'name' is in its elements"
                + " | write items[0].name, items[*].name for all of them, or for_each"
        ),
        (
            "${id.x}",
            "error: '${id.x}': 'id' is a number in the schema: it has no members"
                + " | remove '.x', or write another path"
        ),
        (
            "${customer[0]}",
            "error: '${customer[0]}': 'customer' is an object in the schema, not an array"
                + " | write the path of an array, or remove the brackets"
        ),
        (
            "${@value.statuss}",
            "error: '${@value.statuss}': '@value' has no 'statuss' in the schema"
                + " | did you mean 'status'?"
        ),
        (
            "${items[0].nme?}",
            "warning: '${items[0].nme?}': 'items[0]' has no 'nme' in the schema"
                + " | did you mean 'name'?"
        ),
        (
            "${nots ?? customer.name}",
            "warning: '${nots ?? customer.name}': events have no 'nots' in the schema"
                + " | did you mean 'note'?"
        ),
        (
            "${nix | default(\"x\")}",
            "warning: '${nix | default(\"x\")}': events have no 'nix' in the schema"
                + " | the members are id, status, customer, items, attributes, note"
        ),
    ])
    func `is named with what to write instead`(template: String, expected: String) throws {
        #expect(try findings(showing: template) == [expected])
    }

    @Test func `is found in Protobuf as well`() throws {
        #expect(
            try findings(showing: "${customer.nam}", protobuf, format: "protobuf") == [
                "error: '${customer.nam}': 'customer' has no 'nam' in the schema"
                    + " | did you mean 'name'?"
            ])
    }

    @Test func `is found below the event in a record`() throws {
        let found = try findings(
            "notification: {device_token: '${device_tokn}', ttl: 1h, payload: {aps: {}}}",
            more: ", event: \"${customer}\"")
        #expect(found.map { $0.contains("did you mean 'device_token'?") } == [true])
        let missing = try findings(
            "notification: {device_token: '${x}', ttl: 1h, payload: {aps: {}}}",
            more: ", event: \"${custmer}\"")
        #expect(missing.first?.contains("did you mean 'customer'?") == true, "\(missing)")
    }

    @Test func `is found in the elements of a list`() throws {
        let found = try findings(
            """
            notification:
              for_each: {items: "${items}", as: item, when: {cont: [1]}}
              device_token: ${item.nam}
              ttl: 1h
              payload: {aps: {}}
            """)
        #expect(
            found == [
                "8:50: error: 'item' has no 'cont' in the schema | did you mean 'count'?",
                "9:17: error: '${item.nam}': 'item' has no 'nam' in the schema"
                    + " | did you mean 'name'?",
            ])
    }

    @Test func `is not reported again below a list that is wrong`() throws {
        let found = try findings(
            """
            notification:
              for_each: {items: "${id}", as: item}
              device_token: ${item.token}
              ttl: 1h
              payload: {aps: {badge: "${item.count ?? 'none'}"}}
            """)
        #expect(found.map { $0.contains("not an array") } == [true], "\(found)")
    }

    @Test(arguments: [
        "${id} ${status} ${customer.name?} ${items[0].name}", "${items[*].name | join(\", \")}",
        "${attributes.anything.at_all ?? \"x\"}", "${attributes[\"a b\"]}", "${@key} ${@headers.x}",
        "${note ?? \"n\"}", "${note[0]}", "${items | length}", "gift: ${items[0].gift}",
        "${attributes[status]}",
    ])
    func `is not a path that they may have`(template: String) throws {
        let known = template.contains("anything") ? 1 : 0
        #expect(try findings(showing: template).count == known)
    }
}

@Suite struct `A value that cannot be of the right kind` {
    @Test(arguments: [
        (
            "Order ${customer}",
            "error: '${customer}' is an object in the schema, not a string"
                + " | write the path of one of its members"
        ),
        (
            "${items}",
            "error: '${items}' is an array in the schema, not a string or an object"
                + " | write ${items | join(\", \")}, or one element"
        ),
        (
            "${id | upper}",
            "error: 'upper' takes a string, but the value is a number in the schema"
                + " | write | text before it"
        ),
    ])
    func `is named with what it is in the schema`(template: String, expected: String) throws {
        #expect(try findings(showing: template) == [expected])
    }

    @Test func `is named where a payload takes numbers only, and where a list is needed`() throws {
        let found = try findings(
            """
            notification:
              for_each: {items: "${customer}", as: item}
              device_token: ${item.x}
              ttl: 1h
              payload: {aps: {badge: "${status}"}, "...": "${id}", free: "${items}"}
            """)
        #expect(
            found == [
                "8:22: error: '${customer}' is an object in the schema, not an array"
                    + " | write the path of an array",
                "11:27: error: '${status}' is a string in the schema, not a whole number of at"
                    + " least 0 | write \"${status | number}\"",
                "11:48: error: '${id}' is a number in the schema, not an object"
                    + " | write the path of an object",
            ])
    }
}

@Suite struct `A time that an event has as an array` {
    private func found(_ fields: String, title: String = "a") throws -> [String] {
        let event = file(
            "event.avsc",
            """
            {"type": "record", "name": "E", "fields": [
             {"name": "when", "type": {"type": "array", "items": "int"}},
             {"name": "is_due", "type": "boolean"}]}
            """)
        return try findings(
            "notification: {device_token: aa, \(fields), payload: {aps: {alert: '\(title)'}}}",
            [event])
    }

    @Test func `is not any kind of value`() throws {
        let found = try found(
            "expiration: \"${is_due}\"", title: "${is_due | date(\"%H\", \"UTC\")}")
        #expect(found.count == 2, "\(found)")
        #expect(
            found.first?.hasSuffix(
                "'${is_due}' is a boolean in the schema, not a time | write the path of a time")
                == true, "\(found)")
    }

    @Test func `is not a time to live, or a part of other text`() throws {
        #expect(try found("ttl: \"${when}\"").count == 1)
        #expect(try found("expiration: \"${when}Z\"").count == 1)
    }

    @Test func `fits a field with a time, and a date`() throws {
        #expect(try found("expiration: \"${when}\"") == [])
        #expect(try found("ttl: 1h, event_time: \"${when}\"") == [])
        #expect(try found("ttl: 1h", title: "${when | date(\"%H:%M\", \"UTC\")}") == [])
    }
}

@Suite struct `A condition that events cannot meet` {
    private func found(_ when: String) throws -> [String] {
        try findings(
            """
            when: {\(when)}
            notification: {device_token: "${customer.device_token}", ttl: 1h, payload: {aps: {}}}
            """)
    }

    @Test(arguments: [
        ("statuss: [NEW]", "events have no 'statuss' in the schema | did you mean 'status'?"),
        ("status: [SHIPED]", "'status' is never 'SHIPED' in the schema | did you mean 'SHIPPED'?"),
        (
            "customer: [a]",
            "'customer' is an object in the schema: this never matches it"
                + " | write conditions on its members: {name: [value]}"
        ),
        (
            "nobody: {a: [{exists: false}], b: [1]}",
            "events have no 'nobody' in the schema"
                + " | the members are id, status, customer, items, attributes, note"
        ),
        (
            "id: {a: [1]}",
            "'id' is a number in the schema: it has no members | write id: [value]"
        ),
        (
            "items: {count: [\"3\"]}",
            "'items.count' is a number in the schema: this never matches it | write a number"
        ),
        (
            "customer: {name: [{numeric: [\">\", 3]}]}",
            "'customer.name' is a string in the schema: this never matches it | write a string"
        ),
    ])
    func `is an error`(when: String, expected: String) throws {
        let found = try found(when)
        #expect(found.count == 1 && found[0].hasSuffix("error: \(expected)"), "\(found)")
    }

    @Test(arguments: [
        "status: [SHIPED, NEW]", "$or: [{statuss: [NEW]}, {id: [1]}]", "gone: [{exists: false}]",
        "nobody: {vip: [{exists: false}]}", "id: {a: {b: [{exists: false}, 1]}}",
        "nobody: {$or: [{a: [1]}, {b: [{exists: false}]}]}",
    ])
    func `is a warning where others may hold`(when: String) throws {
        let found = try found(when)
        #expect(found.count == 1 && found[0].contains(": warning: "), "\(found)")
    }

    @Test func `is refused once if elements have no metadata`() throws {
        let found = try findings(
            """
            notification:
              for_each: {items: "${items}", as: item, when: {"@topic": [a], "@value": {x: [1]}}}
              device_token: ${item.name}
              ttl: 1h
              payload: {aps: {}}
            """)
        #expect(found == [])
    }

    @Test(arguments: [
        "status: [{prefix: S}], id: [1], items: {gift: [true], name: [{exists: true}]}",
        "note: [null, a], attributes: {x: [y]}, \"@headers\": {a: [b]}, \"@value\": {id: [1]}",
    ])
    func `is not one that they may meet`(when: String) throws {
        #expect(try found(when) == [])
    }
}

@Suite struct `A schema to check with` {
    private func fault(_ files: [RecordSchema.File]) -> String {
        do throws(RecordSchema.Fault) {
            _ = try RecordSchema(files)
            return "no fault"
        } catch {
            return "\(error.path): \(error.message)" + (error.remedy.map { " | \($0)" } ?? "")
        }
    }

    @Test func `names the file that is missing`() {
        #expect(
            fault([avro[0]])
                == "order.avsc: it is not a usable Avro schema: field 'customer' of 'shop.Order':"
                + " type 'shop.Customer' is not defined | pass the file that defines it, too:"
                + " --schema FILE")
        #expect(
            fault([protobuf[1]]).hasSuffix(
                "| pass the file 'shop/customer.proto', which is imported, too"))
    }

    @Test func `is refused if it is none, or in two formats`() {
        #expect(fault([file("a.avsc", "x")]).contains("a.avsc: it is not a usable Avro schema"))
        #expect(
            fault([file("a.yaml", "source: {}")]).hasSuffix(
                "| name a schema: an .avsc file with Avro's JSON, a .proto file, or its"
                    + " FileDescriptorProto in Base64"))
        #expect(
            fault([avro[1], protobuf[0]])
                == "api/shop/customer.proto: it is in Protobuf, and customer.avsc in Avro"
                + " | pass the schemas of one format only")
        #expect(fault([file("a.proto", "syntax = \"proto3\";")]).contains("it has no messages"))
    }

    @Test(arguments: [("json", avro), ("protobuf", avro), ("avro", protobuf)])
    func `must be in the format of the connector`(
        format: String, files: [RecordSchema.File]
    ) throws {
        let found = try findings(
            "notification: {device_token: '${x}', ttl: 1h, payload: {aps: {}}}", files,
            format: format)
        #expect(found.count { $0.contains("does not fit 'format: \(format)'") } == 1, "\(found)")
    }

    @Test func `of several types is that of any of them`() throws {
        let refund = file(
            "refund.avsc",
            #"{"type": "record", "name": "R", "fields": [{"name": "reason", "type": "string"}]}"#)
        #expect(try findings(showing: "${reason} ${id}", avro + [refund]) == [])
        #expect(try findings(showing: "${device_token}", avro + [refund]).count == 1)
    }
}
