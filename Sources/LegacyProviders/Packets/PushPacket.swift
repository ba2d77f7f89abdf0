/// One push as a provider sent it.
public struct PushPacket: Equatable, Sendable {
    /// The three formats of a packet.
    public enum Command: UInt8, Sendable {
        /// A device token and a payload; errors get no response.
        case simple = 0
        /// With an identifier and an expiration.
        case enhanced = 1
        /// A frame of items.
        case frame = 2
    }

    /// The format.
    public var command: Command
    /// The provider's identifier; nil for the simple command, and if the item is missing.
    public var identifier: UInt32?
    /// When it expires, in seconds since 1970; 0 for "not stored", nil if absent.
    public var expiration: UInt32?
    /// 10 or 5; nil if absent.
    public var priority: UInt8?
    /// The device token as bytes.
    public var deviceToken: [UInt8]
    /// The payload as sent, not validated.
    public var payload: [UInt8]

    /// Creates a packet.
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

    /// The error response for it; nil for the simple command.
    public func response(_ status: LegacyStatus) -> [UInt8]? {
        command == .simple ? nil : status.response(identifier ?? 0)
    }
}
