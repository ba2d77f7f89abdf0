/// Why something cannot be done to a device.
public enum DeviceFault: Error, Equatable, Sendable {
    /// There are so many devices already about which something was said.
    case tooMany(Int)
    /// A token cannot change to itself.
    case sameToken
    /// The token leads nowhere any more.
    case notRegistered
    /// The token to change to leads nowhere any more.
    case otherNotRegistered
    /// The text is not a device token.
    case malformedToken
    /// No app has such a broadcast channel.
    case unknownChannel
    /// The device has subscribed to so many broadcast channels already.
    case tooManyChannels(Int)
}
