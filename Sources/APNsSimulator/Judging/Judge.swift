internal import Delivery

/// Decides about one request after the other of a connection, as strictly as Apple does.
///
/// The rules are the table ``rules``, in Apple's order: the first that is broken is the answer.
/// A judge belongs to one connection, because some rules do: one team, and no hurried change
/// of the provider token.
public struct Judge: ~Copyable {
    /// What the connection has shown so far, and the keys that may sign.
    public internal(set) var credential: ProviderTokenVerification
    /// The time of the present request, in milliseconds since 1970.
    var wallClock: Int64 = 0
    /// What the present request's provider token turned out to be.
    var finding: ProviderTokenFinding = .missing
    /// The present request's push type; nil when it names none or `mdm`.
    var pushType: PushType?
    var payload = PayloadCheck()

    /// A judge for a new connection.
    public init(keys: [ProviderKey]) {
        credential = ProviderTokenVerification(keys: keys)
    }

    /// The answer to a request that arrived at `wallClock`, in milliseconds since 1970.
    public mutating func judge(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> Judgement {
        self.wallClock = wallClock
        for rule in Self.rules where rule.isBroken(request, &self) {
            return Judgement(status: rule.status, reason: rule.reason)
        }
        return .accepted
    }
}
