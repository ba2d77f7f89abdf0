/// What a response says about the device token.
public enum DeviceTokenEffect: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// It looks wrong: alert someone, but do not delete it.
    case suspect
    /// It is no longer valid: it is written to the unregistered topic.
    case unregistered
}
