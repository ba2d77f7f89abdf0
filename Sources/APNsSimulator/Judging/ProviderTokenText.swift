internal import Encoding
internal import TLS

/// A parsed provider token: its claims, and the bytes that its signature covers.
struct ProviderTokenText {
    let keyID: [UInt8]
    let teamID: [UInt8]
    /// Seconds since 1970.
    let issuedAt: Int64
    let signed: [UInt8]
    let signature: [UInt8]

    /// Parses a JSON Web Token; nil when it is not one that Apple accepts.
    init?(_ text: ArraySlice<UInt8>) {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, text.count <= 4096,
            let header = TokenObject(parts[0]), let claims = TokenObject(parts[1]),
            let signature = Base64.url.decode([UInt8](parts[2])),
            header.string("alg") == [UInt8]("ES256".utf8),
            let keyID = header.string("kid"), let teamID = claims.string("iss"),
            let issuedAt = claims.seconds("iat"), issuedAt >= 0
        else { return nil }
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.signature = signature
        signed = [UInt8](text[..<(parts[2].startIndex - 1)])
    }
}
