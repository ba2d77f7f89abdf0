/// Why an order to a device fails.
public enum DeviceFault: Error, Equatable, Sendable {
    /// The limit of devices with a changed state is reached.
    case tooMany(Int)
    /// A token cannot change to itself.
    case sameToken
    /// The token is no longer valid.
    case notRegistered
    /// The new token is no longer valid.
    case otherNotRegistered
    /// The string is not a device token.
    case malformedToken
    /// No app has this broadcast channel.
    case unknownChannel
    /// The device's limit of broadcast channels is reached.
    case tooManyChannels(Int)
    /// The lock screen has no notification with this `apns-id`.
    case notShown
}
