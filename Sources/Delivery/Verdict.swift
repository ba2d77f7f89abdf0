/// What finally became of a notification.
public enum Verdict: String, CaseIterable, Sendable {
    /// Apple took it.
    case accepted
    /// Apple refused it for good.
    case rejected
    /// It was not sent, or not any more.
    case dropped
    /// It was sent and nobody knows what happened to it.
    case unknown
}
