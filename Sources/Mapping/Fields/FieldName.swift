/// The keys of a notification block.
enum FieldName: String, CaseIterable {
    case deviceToken = "device_token"
    case deviceTokens = "device_tokens"
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
    case policy
}
