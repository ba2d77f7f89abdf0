/// What a response tells about: how far a refusal reaches.
public enum ReasonScope: String, CaseIterable, Sendable {
    /// This push alone, or its device: others may be accepted.
    case push
    /// The app: its pushes are refused, those of other apps with the same credential are not.
    case app
    /// The credential: all apps that use it are refused.
    case credential
    /// The connection: another one does not have the fault.
    case connection
    /// The route: whatever is sent to the endpoint with this credential.
    case route
}
