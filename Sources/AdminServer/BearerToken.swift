/// The token that clients must present: `Authorization: Bearer TOKEN`.
struct BearerToken: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// True when a request presents the token. Takes constant time, whatever part of it is correct.
    func isPresented(by request: AdminRequest) -> Bool {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        let presented = [UInt8](words[1].utf8)
        var difference = presented.count ^ bytes.count
        for (index, byte) in presented.enumerated() {
            difference |= Int(byte ^ bytes[index % bytes.count])
        }
        return difference == 0
    }

    /// The response to a request without the token.
    var refusal: AdminResponse {
        var response = AdminResponse.refusal(
            401, "this path requires a token", "send Authorization: Bearer with the token")
        response.headers["www-authenticate"] = "Bearer"
        return response
    }
}
