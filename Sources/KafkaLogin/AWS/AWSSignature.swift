internal import Encoding
internal import TLS

/// Signs requests to AWS. Source: AWS, *Signature Version 4 for API requests*.
struct AWSSignature {
    let credentials: AWSCredentials
    let region: String
    /// The name of the service that receives the request.
    let service: String
    /// When the request is sent, in milliseconds since 1970.
    let now: Int64

    private static let algorithm = "AWS4-HMAC-SHA256"

    /// The address of a GET request that is signed in its query, for so many seconds.
    func presigned(host: String, query: [(String, String)], seconds: Int) -> String {
        var query = query
        query.append(("X-Amz-Algorithm", Self.algorithm))
        query.append(("X-Amz-Credential", "\(credentials.keyID)/\(scope)"))
        query.append(("X-Amz-Date", time))
        query.append(("X-Amz-Expires", "\(seconds)"))
        query.append(("X-Amz-SignedHeaders", "host"))
        if let token = credentials.token { query.append(("X-Amz-Security-Token", token)) }
        let pairs = query.map { Self.encode($0) + "=" + Self.encode($1) }
        let request = [
            "GET", "/", pairs.sorted().joined(separator: "&"), "host:\(host)\n", "host",
            Self.hash([]),
        ]
        return "https://\(host)/?" + pairs.joined(separator: "&")
            + "&X-Amz-Signature=\(signature(of: request))"
    }

    /// The lines of the header that sign a POST request with a form.
    func header(host: String, path: String, form: [UInt8]) -> [String] {
        var headers = [("content-type", Self.formType), ("host", host), ("x-amz-date", time)]
        if let token = credentials.token { headers.append(("x-amz-security-token", token)) }
        let names = headers.map(\.0).joined(separator: ";")
        let lines = headers.map { "\($0):\($1)\n" }.joined()
        let signature = signature(of: ["POST", path, "", lines, names, Self.hash(form)])
        var added = headers.filter { $0.0.hasPrefix("x-amz") }.map { "\($0): \($1)" }
        added.append(
            "Authorization: \(Self.algorithm) Credential=\(credentials.keyID)/\(scope), "
                + "SignedHeaders=\(names), Signature=\(signature)")
        return added
    }

    /// The type of a form, as it is signed.
    static let formType = "application/x-www-form-urlencoded; charset=utf-8"

    /// The signature of the parts of a request in their canonical form, as hexadecimal digits.
    private func signature(of request: [String]) -> String {
        let hash = Self.hash(Array(request.joined(separator: "\n").utf8))
        let text = [Self.algorithm, time, scope, hash].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in [String(time.prefix(8)), region, service, Self.ending] {
            key = MessageCode.code(of: Array(part.utf8), key: key)
        }
        return Self.digits(MessageCode.code(of: Array(text.utf8), key: key))
    }

    private static let ending = "aws4_request"

    private var scope: String {
        [String(time.prefix(8)), region, service, Self.ending].joined(separator: "/")
    }

    /// The time in the basic form of ISO 8601: `20260101T100000Z`.
    private var time: String {
        Timestamp.text(milliseconds: now).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private static func encode(_ text: String) -> String { PercentEncoding.pathSegment(text) }

    private static func hash(_ bytes: [UInt8]) -> String { digits(SHA256.hash(bytes)) }

    private static func digits(_ bytes: [UInt8]) -> String {
        String(decoding: Hexadecimal.encode(bytes), as: UTF8.self)
    }
}
