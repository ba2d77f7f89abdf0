internal import TLS

/// A provider token taken apart: what it says, and what its signature covers.
struct ProviderTokenText {
    let keyID: [UInt8]
    let teamID: [UInt8]
    /// Seconds since 1970.
    let issuedAt: Int64
    let signed: [UInt8]
    let signature: [UInt8]

    /// Reads a JSON web token; nil when it is none, or none that Apple takes.
    init?(_ text: ArraySlice<UInt8>) {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, text.count <= 4096,
            let header = Base64URL.decode([UInt8](parts[0])).map(TokenObject.init),
            let claims = Base64URL.decode([UInt8](parts[1])).map(TokenObject.init),
            let signature = Base64URL.decode([UInt8](parts[2])),
            header.string("alg") == [UInt8]("ES256".utf8),
            let keyID = header.string("kid"), let teamID = claims.string("iss"),
            let issuedAt = claims.integer("iat")
        else { return nil }
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.signature = signature
        signed = [UInt8](text[..<(parts[2].startIndex - 1)])
    }
}

/// A small JSON object whose members are asked for by name.
private struct TokenObject {
    let bytes: [UInt8]

    func string(_ name: String) -> [UInt8]? {
        guard let start = value(of: name), bytes[start] == UInt8(ascii: "\""),
            let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return [UInt8](bytes[(start + 1)..<end])
    }

    func integer(_ name: String) -> Int64? {
        guard let start = value(of: name) else { return nil }
        let digits = bytes[start...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    private func value(of name: String) -> Int? {
        let key = [UInt8]("\"\(name)\":".utf8)
        guard bytes.count > key.count else { return nil }
        let start = (0..<(bytes.count - key.count)).first { bytes[$0...].starts(with: key) }
        return start.map { $0 + key.count }
    }
}
