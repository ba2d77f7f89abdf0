/// The maximum sizes of the parts of a packet.
public struct PacketLimits: Equatable, Sendable {
    /// The size of a payload with commands 0 and 1, in bytes.
    public var payload: Int
    /// The size of a payload with command 2, in bytes.
    public var framePayload: Int
    /// The size of a device token in bytes.
    public var deviceToken = 100
    /// The size of a frame in bytes.
    public var frame = 65_536

    /// Creates limits; the defaults are Apple's.
    public init(payload: Int = 256, framePayload: Int = 2048) {
        self.payload = payload
        self.framePayload = framePayload
    }

    /// What is wrong with the length of a device token.
    func status(ofTokenLength length: Int) -> LegacyStatus? {
        length == 0 ? .missingDeviceToken : length > deviceToken ? .invalidTokenSize : nil
    }

    /// What is wrong with the length of a payload.
    func status(ofPayloadLength length: Int, _ command: PushPacket.Command) -> LegacyStatus? {
        let limit = command == .frame ? framePayload : payload
        return length == 0 ? .missingPayload : length > limit ? .invalidPayloadSize : nil
    }
}
