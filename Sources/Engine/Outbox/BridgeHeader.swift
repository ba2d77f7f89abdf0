/// The headers that the bridge writes into records of others.
enum BridgeHeader {
    /// What their names begin with.
    static let prefix: StaticString = "apns-bridge-"

    /// What the names of those begin with that say how a push goes on. In an event such a header
    /// means nothing and is not copied: it counts only in the retry topic, which the bridge writes.
    static let retryPrefix: StaticString = "apns-bridge-retry-"
}
