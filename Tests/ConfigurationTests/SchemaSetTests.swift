import Mapping
import Testing

private func file(_ path: String, _ text: String) -> RecordSchema.File {
    RecordSchema.File(path: path, text: Array(text.utf8))
}

/// The fields of an event, by their names, or why the files cannot be used: an event with all of
/// them is of the schema.
private func use(_ files: [RecordSchema.File], event: String = "") -> String {
    do throws(RecordSchema.Fault) {
        let schema = try RecordSchema(files)
        do throws(RecordSchema.SampleFault) {
            return String(decoding: try schema.sample(Array(event.utf8)), as: UTF8.self)
        } catch {
            return error.message
        }
    } catch {
        return "\(error.path): \(error.message)" + (error.remedy.map { " | \($0)" } ?? "")
    }
}

private func money(_ amount: String) -> String {
    """
    {"type": "record", "name": "Money", "fields": [{"name": "amount", "type": "\(amount)"},
     {"name": "currency", "type": {"type": "enum", "name": "Currency", "symbols": ["EUR"]}}]}
    """
}

private func record(_ name: String, _ field: String, _ type: String) -> RecordSchema.File {
    file(
        "\(name.lowercased()).avsc",
        """
        {"type": "record", "name": "\(name)", "namespace": "shop",
         "fields": [{"name": "\(field)", "type": \(type)}]}
        """)
}

@Suite struct `Files with Avro schemas that define the same type` {
    private let order = record("Order", "total", money("long"))
    private let refund = record("Refund", "sum", money("long"))

    @Test func `are refused with both names if the definitions differ`() {
        let different = record("Refund", "sum", money("int"))
        let expected = """
            refund.avsc: it is not a usable Avro schema: type 'shop.Money' is defined differently \
            in order.avsc | write the same definition in both files
            """
        #expect(use([order, different]) == expected)
        let user = record("Bill", "refund", "\"Refund\"")
        #expect(use([user, order, different]) == expected)
        let words = money("long").replacing("EUR", with: "USD")
        #expect(
            use([order, record("Refund", "sum", words)]).contains(
                "type 'shop.Currency' is defined differently in order.avsc"))
    }

    @Test func `are refused if one file does so`() {
        let twice = file("a.avsc", "[\(money("int")), \(money("int"))]")
        #expect(use([twice]).contains("type 'Money' is defined twice"))
    }

    @Test func `are types of events, each of them`() {
        for event in [
            #"{"total":{"amount":1,"currency":"EUR"}}"#, #"{"sum":{"amount":1,"currency":"EUR"}}"#,
        ] {
            #expect(use([order, refund], event: event) == event)
        }
    }

    @Test func `are the same type of events if it is their own`() {
        let again = file("./order.avsc", String(decoding: order.text, as: UTF8.self))
        let event = #"{"total":{"amount":1,"currency":"EUR"}}"#
        #expect(use([order, again], event: event) == event)
        #expect(use([order, again], event: "{}") == "'total': the field is missing")
    }

    @Test func `are parts of events if another file contains their own`() {
        let own = file(
            "money.avsc", money("long").replacing("\"Money\"", with: "\"shop.Money\""))
        #expect(use([own, order], event: "{}") == "'total': the field is missing")
        let naming = record("Refund", "sum", "\"Money\"")
        #expect(
            use([naming, order], event: "{}")
                == "refund.avsc: 'sum': the field is missing; order.avsc: 'total': the field is"
                + " missing")
    }
}

@Suite struct `An import in Protobuf` {
    @Test func `of Google's types is not a file with the same name`() {
        let date = file("shop/date.proto", "syntax = \"proto3\"; message D { int32 day = 1; }")
        let order = file(
            "order.proto",
            """
            syntax = "proto3";
            import "google/type/date.proto";
            message Order { google.type.Date day = 1; }
            """)
        #expect(use([date, order], event: #"{"day":7}"#) == #"{"day":7}"#)
        let timestamp = file(
            "shop/timestamp.proto", "syntax = \"proto3\"; message T { int32 second = 1; }")
        let user = file(
            "order.proto",
            """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message Order { google.protobuf.Timestamp at = 1; }
            """)
        #expect(use([timestamp, user], event: #"{"second":7}"#) == #"{"second":7}"#)
    }

    @Test func `of a name that the importing file has as well is not the file itself`() {
        let inner = file(
            "common/types.proto", "syntax = \"proto3\"; message Item { int32 count = 1; }")
        let outer = file(
            "shop/types.proto",
            """
            syntax = "proto3";
            import "common/types.proto"; message Order { Item item = 1; }
            """)
        let event = #"{"item":{"count":7}}"#
        #expect(use([outer, inner], event: event) == event)
        #expect(
            use([outer]).hasSuffix("| pass the file 'common/types.proto', which is imported, too"))
    }
}
