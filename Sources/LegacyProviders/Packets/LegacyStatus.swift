/// The statuses of an error response, as Apple's binary interface numbered them.
public enum LegacyStatus: UInt8, CaseIterable, Sendable {
    /// The payload is not a JSON object with `aps`, or Kafka refuses the size of its event.
    case processingError = 1
    /// There is no device token.
    case missingDeviceToken = 2
    /// There is no topic; a topic is the certificate's here, so that it is never missing.
    case missingTopic = 3
    /// There is no payload.
    case missingPayload = 4
    /// The device token is longer than any.
    case invalidTokenSize = 5
    /// The topic is too long; see ``missingTopic``.
    case invalidTopicSize = 6
    /// The payload is longer than allowed.
    case invalidPayloadSize = 7
    /// The device token is not valid, which only APNs knows: it appears in an outcome.
    case invalidToken = 8
    /// The gateway stops; the identifier is that of the last push that was taken.
    case shutdown = 10
    /// The bytes are not a packet.
    case protocolError = 128
    /// Nothing of the kind.
    case unknown = 255

    /// What Apple called it.
    public var words: String {
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
    /// The four bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
