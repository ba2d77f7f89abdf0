import Configuration
import HTTPClient
import Mapping
import SchemaRegistry
import Testing

/// What a registry of the tests responds, by path.
private struct Registry {
    var responses: [String: HTTPResponse] = [:]
    var settings = SchemaRegistrySettings(urls: ["http://r"])

    init(_ responses: [String: String]) {
        for (path, body) in responses {
            self.responses["http://r" + path] = .responded(status: 200, body: Array(body.utf8))
        }
    }

    init(_ response: HTTPResponse) { responses["http://r/schemas/ids/7"] = response }

    /// What a look-up comes to.
    func find(_ id: SchemaID = .id(7)) -> String {
        let finding = SchemaLookup(settings).find(id) {
            responses[$0] ?? .failed("no route to \($0)")
        }
        return switch finding {
        case .schema(.avro): "a schema"
        case .schema(.protobuf): "a schema in Protobuf"
        case .schema(.unusable(let message)): "unusable: \(message)"
        case .schema(.unknown): "unknown"
        case .unknown(let message): "unknown: \(message)"
        case .unavailable(let message): "unavailable: \(message)"
        }
    }
}

/// A response in JSON.
private func response(_ status: Int, _ body: String) -> HTTPResponse {
    .responded(status: status, body: Array(body.utf8))
}

private func string(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\\\"") + "\""
}

@Suite struct `A schema that a registry does not give out` {
    @Test(arguments: [401, 403, 500, 502, 503, 301, 302, 204, 429])
    func `says nothing about the record when the status is not its own`(status: Int) {
        #expect(
            Registry(response(status, #"{"error_code":40403,"message":"x"}"#)).find()
                == "unavailable: http://r/schemas/ids/7: the registry responds \(status): x")
    }

    @Test(arguments: [200, 401, 404, 503])
    func `says nothing when a large page responds in its place`(status: Int) {
        for page in ["<html>", "{\"schemas\":[]", "{\"error\":\"", ""] {
            #expect(
                Registry(.tooLarge(status: status, beginning: Array(page.utf8))).find()
                    == "unavailable: http://r/schemas/ids/7: the response has the status"
                    + " \(status) and more than 4 MiB: is it a registry?")
        }
    }

    @Test(arguments: [
        "Please sign in to the gateway.", #"{"status":"unauthenticated"}"#, "[]", "[{}]",
        #""unauthenticated""#, "An error message, without a text.", "", "<html>",
    ])
    func `says nothing when a text without a type responds in the place of Apicurio`(
        text: String
    ) {
        for format in [SchemaEncoding.avro, .protobuf] {
            var registry = Registry([:])
            registry.settings.formats = [format]
            for path in ["?references=DEREFERENCE", ""] {
                let address = "http://r/apis/registry/v3/ids/globalIds/9" + path
                registry.responses[address] = response(200, text)
            }
            #expect(registry.find(.long(9)).hasSuffix("is it a registry?"), "\(format)")
        }
    }

    @Test(arguments: [
        "", "<html>not found</html>", "[]", #"{"message":"x"}"#,
        #"{"error_code":404,"message":"HTTP 404 Not Found"}"#,
    ])
    func `says nothing when a 404 has no error code of a registry`(body: String) {
        #expect(
            Registry(response(404, body)).find()
                == "unavailable: http://r/schemas/ids/7: 404, and not from a registry: is the"
                + " address right?")
    }

    @Test func `is unknown when the registry says so`() {
        #expect(
            Registry(response(404, #"{"error_code":40403,"message":"Schema 7 not found"}"#)).find()
                == "unknown: Schema 7 not found")
    }

    @Test(arguments: ["<html>Log in</html>", "", "[1]", "{}", #"{"schema":7}"#])
    func `says nothing when the response is not a schema`(body: String) {
        #expect(Registry(response(200, body)).find().hasPrefix("unavailable: "))
        #expect(Registry(response(200, body)).find().hasSuffix("is it a registry?"))
    }

    @Test func `says nothing without a response`() {
        #expect(
            Registry(.failed("Could not connect to server")).find()
                == "unavailable: http://r/schemas/ids/7: Could not connect to server")
    }

    @Test func `cannot be used when it is too large, broken or in another format`() {
        let beginning = Array(#"{"schemaType":"AVRO","schema":"{\"type\":"#.utf8)
        #expect(
            Registry(.tooLarge(status: 200, beginning: beginning)).find()
                == "unusable: the response is larger than 4 MiB")
        let large = String(repeating: " ", count: 1 << 20)
        #expect(
            Registry(response(200, #"{"schema":"\#(large)1"}"#)).find()
                == "unusable: it has more than 1048576 bytes")
        #expect(
            Registry(response(200, #"{"schema":"{}","schemaType":"PROTOBUF"}"#)).find()
                == "unusable: its type is PROTOBUF, not AVRO")
        #expect(
            Registry(response(200, #"{"schema":"\"text\""}"#)).find()
                == "unusable: type 'text' is not defined")
    }
}

@Suite struct `A schema is looked up` {
    @Test func `by its ID, its GUID or its global ID`() {
        let schema = #"{"schema":"\"int\""}"#
        #expect(Registry(["/schemas/ids/7": schema]).find() == "a schema")
        let guid = SchemaID.guid(0x89ab_cdef_0123_4567, 0x89ab_cdef_0123_4567)
        #expect(
            Registry(["/schemas/guids/89abcdef-0123-4567-89ab-cdef01234567": schema]).find(guid)
                == "a schema")
        let path = "/apis/registry/v3/ids/globalIds/9?references=DEREFERENCE"
        #expect(Registry([path: #""int""#]).find(.long(9)) == "a schema")
        #expect(Registry([path: "<html>"]).find(.long(9)).hasPrefix("unavailable: "))
    }

    @Test func `by the paths of Apicurio's two versions`() {
        for (url, ids, path) in [
            ("http://r/apis/registry/v2", .global, "/ids/globalIds/9?dereference=true"),
            ("http://r/apis/registry/v3", .content, "/ids/contentIds/9?references=DEREFERENCE"),
        ] as [(String, SchemaRegistrySettings.IDs, String)] {
            var registry = Registry([:])
            registry.settings.urls = [url]
            registry.settings.ids = ids
            registry.responses[url + path] = response(200, #""int""#)
            #expect(registry.find(.long(9)) == "a schema")
            registry.responses[url + path] = response(
                404, #"{"error_code":404,"name":"ArtifactNotFoundException","message":"gone"}"#)
            #expect(registry.find(.long(9)) == "unknown: gone")
        }
    }

    @Test func `with all that it refers to, each once`() {
        let price = string(#"{"type":"fixed","name":"Price","size":2}"#)
        let item = string(
            #"{"type":"record","name":"Item","fields":[{"name":"p","type":"Price"}]}"#)
        let order = string(
            #"{"type":"record","name":"Order","fields":[{"name":"i","type":"Item"},"#
                + #"{"name":"p","type":"Price"}]}"#)
        let reference = #"{"name":"Price","subject":"a/b c","version":3}"#
        let registry = Registry([
            "/schemas/ids/7": #"{"schema":\#(order),"references":["#
                + #"{"name":"Item","subject":"item","version":1},\#(reference)]}"#,
            "/subjects/item/versions/1": #"{"schema":\#(item),"references":[\#(reference)]}"#,
            "/subjects/a%2Fb%20c/versions/3": #"{"schema":\#(price)}"#,
        ])
        #expect(registry.find() == "a schema")
    }

    @Test func `without end only where references are nested without end`() {
        var responses = [
            "/schemas/ids/7": #"{"schema":"\"int\"","references":[{"subject":"s","version":0}]}"#
        ]
        for version in 0..<40 {
            responses["/subjects/s/versions/\(version)"] =
                #"{"schema":"\"int\"","references":[{"subject":"s","version":\#(version + 1)}]}"#
        }
        #expect(
            Registry(responses).find() == "unusable: its references are nested deeper than 32")
        responses["/subjects/s/versions/0"] = responses["/schemas/ids/7"]
        #expect(Registry(responses).find() == "a schema")
    }

    @Test func `at the next address when one does not respond`() {
        var registry = Registry(["/schemas/ids/7": #"{"schema":"\"int\""}"#])
        registry.settings.urls = ["http://away", "http://r"]
        #expect(registry.find() == "a schema")
    }
}
