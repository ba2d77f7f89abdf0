/// How large the parts of a packet may be.
public struct PacketLimits: Equatable, Sendable {
    /// The bytes of a payload with the commands 0 and 1.
    public var payload: Int
    /// The bytes of a payload with the command 2.
    public var framePayload: Int
    /// The bytes of a device token.
    public var deviceToken = 100
    /// The bytes of a frame.
    public var frame = 65_536

    /// Apple's limits, or others.
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
