import Encoding
import Protobuf
import Testing

/// `Order {int64 id = 1; Customer customer = 2; State state = 3; map<string, int32> names = 4;}` in
/// the package `shop`, whose enumeration has two names for 0, as a serializer registers it.
private let order =
    "CgtvcmRlci5wcm90bxIEc2hvcBoOY3VzdG9tZXIucHJvdG8i2gEKBU9yZGVyEgoKAmlkGAEgASgDEiAKCGN1c3Rv"
    + "bWVyGAIgASgLMg4uc2hvcC5DdXN0b21lchIgCgVzdGF0ZRgDIAEoDjIRLnNob3AuT3JkZXIuU3RhdGUSJQoFbmFt"
    + "ZXMYBCADKAsyFi5zaG9wLk9yZGVyLk5hbWVzRW50cnkaLAoKTmFtZXNFbnRyeRILCgNrZXkYASABKAkSDQoFdmFs"
    + "dWUYAiABKAU6AjgBIiwKBVN0YXRlEgcKA05FVxAAEgkKBUZSRVNIEAASCwoHU0hJUFBFRBABGgIQAWIGcHJvdG8z"

/// `Customer {string name = 1;}` in the same package.
private let customer =
    "Cg5jdXN0b21lci5wcm90bxIEc2hvcCIYCghDdXN0b21lchIMCgRuYW1lGAEgASgJYgZwcm90bzM="

private func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.standard.encode(bytes), as: UTF8.self)
}

@Suite struct `A schema that is the descriptor of a file in Base64` {
    @Test func `is refused if it is nested too deeply, or its names are too long`() {
        var type = field(1, "M")
        for _ in 0..<80 { type = field(1, "M") + field(3, type) }
        #expect(
            schemaFault(base64(field(4, type) + field(12, "proto3")))
                == "it is nested deeper than 64 levels")
        let name = String(repeating: "M", count: 600)
        #expect(
            schemaFault(base64(field(4, field(1, name)))) == "a name has more than 512 bytes")
    }

    @Test(arguments: [
        // A field of a type that there is not, and a version of the language that is not known.
        ("CgliYWQucHJvdG8iEgoBTRINCgFhGAEgASgLMgIuWGIGcHJvdG8z", "is not defined"),
        ("CgdlLnByb3RvIgMKAU1iCGVkaXRpb25z", "nrecognized syntax"),
        ("AAAA", "at line 1"), ("CgdlLnByb3RvYgZwcm90bzM=", "it has no messages"),
    ])
    func `is refused if it is not a valid one`(text: String, expected: String) {
        #expect(schemaFault(text).contains(expected), "\(schemaFault(text))")
    }

    @Test func `reads records as its text does, also with imports in both forms`() throws {
        let record = whole(1, 7) + field(2, field(1, "Ann")) + whole(3, 1)
        let text = #"{"id":7,"customer":{"name":"Ann"},"state":"SHIPPED","names":{}}"#
        let inText = "syntax = \"proto3\"; package shop; message Customer { string name = 1; }"
        for other in [customer, inText] {
            #expect(try json(record, order, files: [("customer.proto", other)]) == text)
        }
        #expect(
            try json([], order, files: [("customer.proto", customer)])
                == #"{"id":0,"state":"NEW","names":{}}"#)
    }
}
