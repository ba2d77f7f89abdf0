/// How much else a rejection affects.
public enum ReasonScope: String, CaseIterable, Sendable {
    /// Only this push, or its device: others may be accepted.
    case push
    /// The app: its pushes are rejected, those of other apps with the same credential are not.
    case app
    /// The credential: all apps that use it are rejected.
    case credential
    /// The connection: another one is not affected.
    case connection
    /// The route: everything sent to the endpoint with this credential.
    case route
}
