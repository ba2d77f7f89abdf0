internal import Encoding

/// What proves to AWS who sends a request.
struct AWSCredentials: Equatable, Sendable {
    /// The name of the key.
    var keyID: String
    /// The key itself: a secret.
    var secret: String
    /// What accompanies the key of a role: a secret.
    var token: String?
    /// When they expire, in milliseconds since 1970; nil when they do not.
    var expires: Int64?
    /// Where they come from, as `doctor` and the log name it.
    var source: String

    /// Throws unless they can be sent, and are valid at a wall-clock time in milliseconds.
    init(
        keyID: String, secret: String, token: String?, expires: Int64? = nil, source: String,
        now: Int64
    ) throws(TokenFault) {
        let texts = [keyID, secret] + (token.map { [$0] } ?? [])
        let areFine = texts.allSatisfy { text in
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
        guard areFine else {
            throw .refused("\(source): the credentials have characters that none have")
        }
        if let expires, expires <= now {
            throw .refused(
                "\(source): the credentials expired at \(Timestamp.text(milliseconds: expires)):"
                    + " is the clock right?")
        }
        self.keyID = keyID
        self.secret = secret
        self.token = token
        self.expires = expires
        self.source = source
    }

    /// What no message may contain.
    var secrets: [String] { [secret, token].compactMap { $0 } }
}
