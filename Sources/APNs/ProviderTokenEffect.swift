/// What a response says about the provider token that came with the request.
public enum ProviderTokenEffect: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// It is refused: the clock or the key may have changed since it was signed.
    case refused
    /// It is too old: the next request carries one that is signed again.
    case expired
    /// Provider tokens change too often: the connection keeps the one before.
    case changedTooOften
}
