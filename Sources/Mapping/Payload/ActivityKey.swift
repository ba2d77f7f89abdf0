/// The keys of `live_activity`, in the order of the members of `aps` that are made of them.
///
/// Source: Apple, *Starting and updating Live Activities with ActivityKit push notifications*.
enum ActivityKey: String, CaseIterable {
    case event
    case timestamp
    case contentState = "content_state"
    case attributesType = "attributes_type"
    case attributes
    case staleDate = "stale_date"
    case staleAfter = "stale_after"
    case dismissalDate = "dismissal_date"
    case relevanceScore = "relevance_score"
    case inputPushToken = "input_push_token"
    case inputPushChannel = "input_push_channel"
    case alert
}

extension ActivityKey {
    /// Its path in a notification block.
    var path: String { "live_activity.\(rawValue)" }

    /// The member of `aps`.
    var member: String {
        self == .staleAfter ? "stale-date" : String(rawValue.map { $0 == "_" ? "-" : $0 })
    }

    /// The key that a member of `aps` is made of; nil for others.
    init?(member: String) {
        self.init(rawValue: String(member.map { $0 == "-" ? "_" : $0 }))
    }

    /// What a time is for that it takes.
    var timeUse: TimeUse {
        switch self {
        case .staleDate: .staleDate
        case .dismissalDate: .dismissal
        default: .content
        }
    }

    /// The events that it has a meaning for.
    var events: ActivityEvents {
        switch self {
        case .attributesType, .attributes, .inputPushToken, .inputPushChannel: .start
        case .dismissalDate: .end
        default: .all
        }
    }

    /// What to write if it is missing, or if its value is not accepted.
    func remedy(ofBroadcast isBroadcast: Bool) -> String {
        self == .event && isBroadcast ? "write event: update or end" : remedy
    }

    /// The same where it is not known to be a broadcast.
    var remedy: String {
        switch self {
        case .event: "write event: start, update or end"
        case .timestamp: "write timestamp: ${path.to.time}, or leave it out for the event's time"
        case .contentState: "write content_state: {status: \"${status}\"}, as the app decodes it"
        case .attributesType: "write attributes_type: DeliveryAttributes, the name in the app"
        case .attributes: "write attributes: {order: \"${order.id}\"}, as the app decodes them"
        case .staleDate: "write stale_date: ${path.to.time}, or stale_after: 5m"
        case .staleAfter: "write stale_after: 5m, 2h or PT5M"
        case .dismissalDate: "write dismissal_date: ${path.to.time}, or 0 to remove it at once"
        case .relevanceScore: "write relevance_score: 100"
        case .inputPushToken: "write input_push_token: true, or remove it"
        case .inputPushChannel: "write input_push_channel: ${path.to.channel}"
        case .alert: "write alert: {title: \"…\", body: \"…\"}: the device shows it at the start"
        }
    }
}
