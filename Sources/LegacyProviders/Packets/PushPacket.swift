/// One push as a provider sent it.
public struct PushPacket: Equatable, Sendable {
    /// The three shapes of a packet.
    public enum Command: UInt8, Sendable {
        /// A device token and a payload; errors are not answered.
        case simple = 0
        /// With an identifier and an expiry.
        case enhanced = 1
        /// A frame of items.
        case frame = 2
    }

    /// The shape in which it came.
    public var command: Command
    /// What the provider calls it; nil for the simple command, and where the item is missing.
    public var identifier: UInt32?
    /// Until when it is of use, in seconds since 1970; 0 for "not stored", nil when not given.
    public var expiration: UInt32?
    /// 10 or 5; nil when not given.
    public var priority: UInt8?
    /// The device token's own bytes.
    public var deviceToken: [UInt8]
    /// The payload as it was sent; nobody has looked into it.
    public var payload: [UInt8]

    /// Describes a push.
    public init(
        command: Command, identifier: UInt32? = nil, expiration: UInt32? = nil,
        priority: UInt8? = nil, deviceToken: [UInt8], payload: [UInt8]
    ) {
        self.command = command
        self.identifier = identifier
        self.expiration = expiration
        self.priority = priority
        self.deviceToken = deviceToken
        self.payload = payload
    }

    /// What is answered when there is something wrong with it; nil for the simple command.
    public func response(_ status: LegacyStatus) -> [UInt8]? {
        command == .simple ? nil : status.response(identifier ?? 0)
    }
}
