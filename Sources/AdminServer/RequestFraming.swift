internal import Encoding

/// Refuses requests that two servers may read differently, whatever libmicrohttpd lets pass.
///
/// A proxy before the endpoint may take one request for two, or look at another host than the
/// endpoint does. Sources: RFC 9110, 5.1 and 7.2; RFC 9112, 3.2, 5 and 6.
enum RequestFraming {
    /// The response that ends the connection; nil if a request is unambiguous.
    static func refusal(of head: RequestHead) -> AdminResponse? {
        if head.isIncomplete {
            return refused("the request has a zero byte, a folded line or unusual white space")
        }
        if !head.fields.allSatisfy({ isToken($0.name) }) {
            return refused("the request has a field name that is not valid")
        }
        if head.path.contains("%00") { return refused("the path contains a zero byte") }
        return refusalOfBody(head) ?? refusalOfHost(head)
    }

    private static func refusalOfBody(_ head: RequestHead) -> AdminResponse? {
        let lengths = head.values("content-length")
        let codings = head.values("transfer-encoding")
        if lengths.count > 1 { return refused("the request has two Content-Length fields") }
        if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy(\.isDigit) {
            return refused("Content-Length is not a number")
        }
        guard let coding = codings.first else { return nil }
        if !lengths.isEmpty {
            return refused("the request has both Content-Length and Transfer-Encoding")
        }
        if codings.count > 1 { return refused("the request has two Transfer-Encoding fields") }
        if coding.lowercased() != "chunked" {
            return refused("the request has a Transfer-Encoding other than chunked")
        }
        if head.version != "HTTP/1.1" {
            return refused("the request has a Transfer-Encoding, which HTTP/1.0 does not know")
        }
        return nil
    }

    private static func refusalOfHost(_ head: RequestHead) -> AdminResponse? {
        let hosts = head.values("host")
        if hosts.count > 1 { return refused("the request has two Host fields") }
        if let host = hosts.first, !host.isEmpty, RequestHost(host) == nil {
            return refused("the Host field is not a name or an address")
        }
        return nil
    }

    /// A name of letters, digits and some marks, without white space.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                $0.isDigit || (0x61...0x7A).contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    private static func refused(_ message: StaticString) -> AdminResponse {
        var response = AdminResponse.refusal(400, message, "send one request with one meaning")
        response.headers["connection"] = "close"
        return response
    }
}

extension RequestHead {
    fileprivate func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }
}
