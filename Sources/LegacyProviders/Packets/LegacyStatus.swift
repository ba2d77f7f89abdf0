/// The statuses of an error response in Apple's binary interface.
public enum LegacyStatus: UInt8, CaseIterable, Sendable {
    /// The payload is not a JSON object with `aps`, or Kafka rejects the size of its event.
    case processingError = 1
    /// There is no device token.
    case missingDeviceToken = 2
    /// There is no topic; never used, because the certificate determines the topic.
    case missingTopic = 3
    /// There is no payload.
    case missingPayload = 4
    /// The device token is too long.
    case invalidTokenSize = 5
    /// The topic is too long; see ``missingTopic``.
    case invalidTopicSize = 6
    /// The payload is longer than allowed.
    case invalidPayloadSize = 7
    /// The device token is not valid, which only APNs knows: it appears in an outcome.
    case invalidToken = 8
    /// The gateway is stopping; the identifier is that of the last push accepted.
    case shutdown = 10
    /// The bytes are not a packet.
    case protocolError = 128
    /// Any other error.
    case unknown = 255

    /// Apple's name for it.
    public var message: String {
        switch self {
        case .processingError: "processing error"
        case .missingDeviceToken: "missing device token"
        case .missingTopic: "missing topic"
        case .missingPayload: "missing payload"
        case .invalidTokenSize: "invalid token size"
        case .invalidTopicSize: "invalid topic size"
        case .invalidPayloadSize: "invalid payload size"
        case .invalidToken: "invalid token"
        case .shutdown: "shutdown"
        case .protocolError: "protocol error"
        case .unknown: "unknown"
        }
    }

    /// The error response: command 8, the status, and the identifier of the push.
    public func response(_ identifier: UInt32) -> [UInt8] {
        [8, rawValue] + identifier.bigEndianBytes
    }
}

extension UInt32 {
    /// The four bytes, most significant first.
    var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
