internal import Encoding
internal import JSON

/// What a JSON Web Token says about itself; nobody checks its signature here.
enum WebToken {
    /// When it expires, in seconds since 1970; nil if it does not say so, or is something else.
    static func expiration(of token: String) -> Int64? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.url.decode(Array(parts[1].utf8)) else {
            return nil
        }
        guard let claims = try? JSONDocument(bytes) else { return nil }
        return claims.integer("exp")
    }
}
