/// What the credential of a request turned out to be.
public enum ProviderTokenFinding: Sendable {
    /// It is good.
    case accepted
    /// It is not examined, because the connection has a client certificate.
    case ignored
    /// There is no `authorization: bearer TOKEN`.
    case missing
    /// It is not a JSON web token signed with ES256 that has a `kid`, an `iss` and an `iat`.
    case malformed
    /// Its `kid` is of no key that the simulator knows.
    case unknownKey
    /// Its `iss` is not the team that owns the key.
    case foreignTeam
    /// The key did not sign it.
    case badSignature
    /// Its `iat` is more than an hour ago.
    case expired
    /// Its `iat` lies in the future.
    case future
    /// Its key is for the other one of Apple's two environments.
    case otherEnvironment
    /// The connection has shown a token of another team before.
    case secondTeam
    /// The connection has shown a token of a key before that is not related to its key.
    case unrelatedKey
    /// The key's last token is not in use on the connection for 20 minutes yet.
    case updatedTooSoon
}
