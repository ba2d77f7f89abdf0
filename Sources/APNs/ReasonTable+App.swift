extension ReasonTable {
    /// True for a refusal of one app alone: the credential is in order, and may be used for others.
    public static func concernsApp(_ reason: String) -> Bool {
        switch reason {
        case "TopicDisallowed", "TopicMismatch", "FeatureNotEnabled", "BroadcastFeatureNotEnabled",
            "CannotCreateChannelConfig":
            true
        default: false
        }
    }
}
