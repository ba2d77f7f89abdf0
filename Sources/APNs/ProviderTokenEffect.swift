/// What a response says about the request's provider token.
public enum ProviderTokenEffect: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// Rejected: the clock or the key may have changed since it was signed.
    case refused
    /// Too old: the next request carries a newly signed one.
    case expired
    /// Provider tokens change too often: the connection reverts to the previous one.
    case changedTooOften
}
