/// Where a push goes: to a device, or as a broadcast to a channel.
public struct Destination: Equatable, Sendable {
    /// What it is.
    public enum Kind: Sendable, BitwiseCopyable {
        /// A device.
        case device
        /// A broadcast channel: every device that has subscribed to it receives the push.
        case channel
    }

    /// What it is.
    public var kind = Kind.device
    /// Of a device its token in lower-case hexadecimal digits, an even number of them; of a channel
    /// its ID in Base64. Empty for none.
    public var identifier: [UInt8] = []

    /// Creates a device without a token.
    public init() {}
}

extension Destination.Kind {
    /// The maximum size of the payload of a push of that type in bytes.
    public func payloadLimit(for type: PushType) -> Int {
        self == .channel ? 5120 : type.payloadLimit
    }

    /// The priorities that APNs accepts for a push of that type.
    ///
    /// Source: Apple, *Sending broadcast push notification requests to APNs*.
    public func allowedPriorities(for type: PushType) -> [UInt8] {
        self == .channel ? [10, 5, 1] : type.allowedPriorities
    }
}
