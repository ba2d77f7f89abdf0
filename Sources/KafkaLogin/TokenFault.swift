/// Why there is no token.
enum TokenFault: Error, Equatable {
    /// Nothing was said about the bridge: it may pass by itself.
    case unavailable(String)
    /// The source returned no token, or one that cannot be used.
    case refused(String)

    /// What is wrong, and where.
    var detail: String {
        switch self {
        case .unavailable(let detail), .refused(let detail): detail
        }
    }

    /// The same without secrets, which a server may repeat.
    func without(_ secrets: [String]) -> TokenFault {
        var text = detail
        for secret in secrets where !secret.isEmpty && !"…".contains(secret) {
            while let range = text.firstRange(of: secret) { text.replaceSubrange(range, with: "…") }
        }
        return switch self {
        case .unavailable: .unavailable(text)
        case .refused: .refused(text)
        }
    }
}

/// A token as its source gave it out.
struct FetchedToken: Equatable, Sendable {
    /// The token itself: a secret.
    var value: String
    /// How long it is valid from now on.
    var life: Duration

    /// More than any broker reads.
    static let maxBytes = 64 << 10
    /// How long a token is taken to be valid when nobody says so.
    static let unknownLife = Duration.seconds(300)

    /// Throws unless a header can carry the value and it is valid for a while.
    init(_ value: String, life: Duration, at source: String) throws(TokenFault) {
        guard value.utf8.count <= Self.maxBytes else {
            throw .refused("\(source): the token is larger than 64 KiB")
        }
        guard !value.isEmpty else { throw .unavailable("\(source): the token is empty") }
        guard value.utf8.allSatisfy(Self.isAllowed) else {
            throw .refused("\(source): the token has characters that no token has")
        }
        guard life > .zero else {
            throw .refused("\(source): the token has expired: is the clock right?")
        }
        self.value = value
        self.life = life
    }

    /// As in RFC 6750.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}
