import Configuration
import HTTPClient
import Mapping
import SchemaRegistry
import Testing

/// What a look-up of a schema in Protobuf comes to, in a registry that responds so by path.
private func find(
    _ responses: [String: String], _ id: SchemaID = .id(7), url: String = "http://r"
) -> String {
    var settings = SchemaRegistrySettings(urls: [url])
    settings.formats = [.protobuf]
    let finding = SchemaLookup(settings).find(id) { address in
        let path = String(address.dropFirst("http://r".count))
        guard let body = responses[path] else { return .failed("no route to \(path)") }
        return .responded(status: 200, body: Array(body.utf8))
    }
    return switch finding {
    case .schema(.protobuf): "a schema"
    case .schema(.avro): "a schema in Avro"
    case .schema(.unusable(let message)): "unusable: \(message)"
    case .schema(.unknown): "unknown"
    case .unknown(let message): "unknown: \(message)"
    case .unavailable(let message): "unavailable: \(message)"
    }
}

private func response(_ schema: String, references: String = "") -> String {
    let text = schema.replacing("\"", with: "\\\"")
    return #"{"schemaType":"PROTOBUF","schema":"\#(text)","references":[\#(references)]}"#
}

@Suite struct `A schema in Protobuf is looked up` {
    private static let price = "syntax = \"proto3\"; package shop; message Price { int32 x = 1; }"
    private static let item =
        "syntax = \"proto3\"; import \"shop/price.proto\"; message Item { shop.Price p = 1; }"
    private static let order =
        "syntax = \"proto3\"; import \"item.proto\"; import \"google/protobuf/timestamp.proto\";"
        + " message Order { Item i = 1; google.protobuf.Timestamp t = 2; }"

    @Test func `with the files that it imports, by their names`() {
        #expect(find(["/schemas/ids/7": response(Self.price)]) == "a schema")
        #expect(
            find([
                "/schemas/ids/7": response(
                    Self.order,
                    references: #"{"name":"item.proto","subject":"i","version":2}"#),
                "/subjects/i/versions/2": response(
                    Self.item,
                    references: #"{"name":"shop/price.proto","subject":"shop/p","version":1}"#),
                "/subjects/shop%2Fp/versions/1": response(Self.price),
            ]) == "a schema")
        #expect(
            find(["/schemas/ids/7": response(Self.order)])
                == "unusable: Order.i: \"Item\" is not defined")
    }

    @Test func `and is not one if it is in another format or broken`() {
        #expect(
            find(["/schemas/ids/7": #"{"schema":"\"int\""}"#])
                == "unusable: its type is AVRO, not PROTOBUF")
        #expect(
            find(["/schemas/ids/7": #"{"schema":"{}","schemaType":"JSON"}"#])
                == "unusable: its type is JSON, not PROTOBUF")
        #expect(find(["/schemas/ids/7": response("message")]).hasPrefix("unusable: Expected"))
        #expect(
            find(["/schemas/ids/7": response(String(repeating: " ", count: 1 << 20) + "1")])
                == "unusable: it has more than 1048576 bytes")
    }

    @Test func `and says nothing about its type when the response has no schema`() {
        #expect(
            find(["/schemas/ids/7": #"{"foo":1}"#])
                == "unavailable: http://r/schemas/ids/7: the response is not a schema: is it a"
                + " registry?")
    }

    @Test func `in Apicurio with its references, each once`() {
        for (url, root, ending) in [
            ("http://r", "/apis/registry/v3", "/content"),
            ("http://r/apis/registry/v3", "/apis/registry/v3", "/content"),
            ("http://r/apis/registry/v2", "/apis/registry/v2", ""),
        ] {
            let item = root + "/groups/g%201/artifacts/item/versions/2"
            let price = root + "/groups/default/artifacts/price/versions/1"
            let list = #"[{"name":"shop/price.proto","artifactId":"price","version":"1"}]"#
            let responses = [
                root + "/ids/globalIds/9": Self.order,
                root + "/ids/globalIds/9/references":
                    #"[{"name":"item.proto","groupId":"g 1","artifactId":"item","version":"2"},"#
                    + #"{"name":"item.proto","groupId":"g 1","artifactId":"item","version":"2"}]"#,
                item + ending: Self.item, item + "/references": list,
                price + ending: Self.price, price + "/references": "[]",
            ]
            #expect(find(responses, .long(9), url: url) == "a schema")
            var page = responses
            page[root + "/ids/globalIds/9"] = "\n<html>"
            #expect(find(page, .long(9), url: url).hasSuffix("is it a registry?"))
            page[root + "/ids/globalIds/9"] = Self.order
            page[root + "/ids/globalIds/9/references"] = "{}"
            #expect(find(page, .long(9), url: url).hasSuffix("is it a registry?"))
            page[root + "/ids/globalIds/9/references"] = "[{}]"
            #expect(
                find(page, .long(9), url: url)
                    == "unusable: one of its references has no name, artifact or version")
        }
    }

    @Test func `without end only where references are nested without end`() {
        let root = "/apis/registry/v3"
        var responses = [
            root + "/ids/globalIds/9": Self.order,
            root + "/ids/globalIds/9/references":
                #"[{"name":"0","artifactId":"0","version":"1"}]"#
        ]
        for number in 0..<40 {
            responses[root + "/groups/default/artifacts/\(number)/versions/1/references"] =
                #"[{"name":"\#(number + 1)","artifactId":"\#(number + 1)","version":"1"}]"#
        }
        #expect(
            find(responses, .long(9)) == "unusable: its references are nested deeper than 32")
    }
}
