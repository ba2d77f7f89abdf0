/// The result of verifying a request's credential.
public enum ProviderTokenFinding: Sendable {
    /// It is valid.
    case accepted
    /// It is not verified, because the connection has a client certificate.
    case ignored
    /// There is no `authorization: bearer TOKEN`.
    case missing
    /// It is not a JSON Web Token signed with ES256 with a `kid`, an `iss` and an `iat`.
    case malformed
    /// Its `kid` is not that of any key known to the simulator.
    case unknownKey
    /// Its `iss` is not the team that owns the key.
    case foreignTeam
    /// The key did not sign it.
    case badSignature
    /// Its `iat` is more than an hour ago.
    case expired
    /// Its `iat` is in the future.
    case future
    /// Its key is for Apple's other environment.
    case otherEnvironment
    /// A token of another team was used on the connection before.
    case secondTeam
    /// A token of a key unrelated to its key was used on the connection before.
    case unrelatedKey
    /// The key's previous token has not been in use on the connection for 20 minutes yet.
    case updatedTooSoon
}
