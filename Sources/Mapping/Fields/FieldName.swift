internal import Delivery

/// The keys of a notification block.
enum FieldName: String, CaseIterable {
    case forEach = "for_each"
    case deviceToken = "device_token"
    case deviceTokens = "device_tokens"
    case broadcast
    case pushType = "push_type"
    case priority
    case collapseID = "collapse_id"
    case expiration
    case timeToLive = "ttl"
    case eventTime = "event_time"
    case bundleID = "bundle_id"
    case ownID = "apns_id"
    case environment
    case payload
    case liveActivity = "live_activity"
    case policy
}

extension FieldName {
    /// What to write instead of a value that the field does not accept.
    var remedy: String? {
        switch self {
        case .deviceToken: "write device_token: ${path.to.token}"
        case .broadcast: "write broadcast: {channel: ${path.to.channel}}"
        case .deviceTokens: "write device_tokens: ${path.to.tokens}"
        case .pushType:
            "push types are \(PushType.allCases.map(\.rawValue).joined(separator: ", "))"
        case .priority: "write one of these, or remove 'priority'"
        case .collapseID: "write collapse_id: order-${order.id}"
        case .expiration: "write expiration: ${path.to.time}, or ttl: 4h, or expiration: 0"
        case .timeToLive: "write ttl: 4h, 30m or PT4H, or expiration: 0 for a single attempt"
        case .eventTime: "write event_time: ${path.to.time}"
        case .bundleID: "write bundle_id: com.example.shop"
        case .ownID: "write apns_id: ${path.to.uuid}, or leave it out"
        case .environment: "write production or development"
        case .payload, .liveActivity, .policy, .forEach: nil
        }
    }
}
