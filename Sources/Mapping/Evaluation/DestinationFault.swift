internal import Delivery

/// What is wrong with whom a push is for: devices or a channel.
enum DestinationFault: Sendable, BitwiseCopyable {
    case bothTokens, bothKinds, tokenInBase64
    case channelID, channelIDLength
    case pushType, collapseID
}

extension DestinationFault {
    /// The machine-readable reason.
    var dropReason: DropReason {
        switch self {
        case .bothTokens, .bothKinds, .tokenInBase64: .invalidDeviceToken
        case .channelID, .channelIDLength: .invalidChannelID
        case .pushType: .invalidPushType
        case .collapseID: .invalidCollapseID
        }
    }

    /// The rule that was violated.
    var message: String {
        switch self {
        case .bothTokens: "'device_token' and 'device_tokens' are mutually exclusive"
        case .bothKinds: "'device_token' and 'channel_id' are mutually exclusive"
        case .tokenInBase64: "it is Base64, not hexadecimal: append '| hex' to its path"
        case .channelID: "it is not valid Base64"
        case .channelIDLength: "it must have 1 to \(FieldCheck.channelIDLimit) bytes"
        case .pushType: "only liveactivity can be broadcast"
        case .collapseID: "a broadcast has none: the timestamp orders its updates"
        }
    }
}
