internal import Delivery
internal import Encoding
internal import HTTP2

extension APNsResponse {
    /// Converts the HTTP/2 response to the request with an identifier; a plain 200 allocates
    /// nothing.
    init(_ response: HTTP2Response, to id: NotificationID) {
        self.init(
            status: response.status, uniqueID: response.uniqueID,
            isIdentified: response.identifier == Self.number(of: id))
        if !response.body.isEmpty, response.status != 200 {
            let body = ResponseBody(response.body)
            reason = body.reason
            timestamp = body.timestamp
        }
        if !response.retryAfter.isEmpty { retryAfter = Self.seconds(response.retryAfter) }
    }

    /// An identifier as the number that HTTP/2 uses.
    static func number(of id: NotificationID) -> UInt128 {
        UInt128(id.high) << 64 | UInt128(id.low)
    }

    /// A number of seconds in decimal digits; nil for a date or anything else.
    private static func seconds(_ text: [UInt8]) -> Int? {
        guard text.count <= 9, text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
