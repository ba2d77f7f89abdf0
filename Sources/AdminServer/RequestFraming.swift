/// Refuses requests that two servers may read differently, whatever libmicrohttpd lets pass.
///
/// A proxy before the endpoint may take one request for two, or look at another host than the
/// endpoint does. Sources: RFC 9112, 3.2 and 6.3.
enum RequestFraming {
    /// A header field, with its name in lower case.
    typealias Field = (name: String, value: String)

    /// The response that ends the connection; nil if a request with these fields is unambiguous.
    static func refusal(of fields: [Field], path: String) -> AdminResponse? {
        func values(_ name: String) -> [String] {
            fields.filter { $0.name == name }.map(\.value)
        }
        let lengths = values("content-length")
        if lengths.count > 1 { return refused("the request has two Content-Length fields") }
        if let length = lengths.first, !length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return refused("Content-Length is not a number")
        }
        if !lengths.isEmpty, !values("transfer-encoding").isEmpty {
            return refused("the request has both Content-Length and Transfer-Encoding")
        }
        if values("host").count > 1 { return refused("the request has two Host fields") }
        if path.contains("%00") { return refused("the path contains a zero byte") }
        return nil
    }

    private static func refused(_ message: StaticString) -> AdminResponse {
        var response = AdminResponse.refusal(400, message, "send one request with one meaning")
        response.headers["connection"] = "close"
        return response
    }
}
