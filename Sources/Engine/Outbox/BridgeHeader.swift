/// The headers that the bridge adds to records.
enum BridgeHeader {
    /// The prefix of their names.
    static let prefix: StaticString = "apns-bridge-"

    /// The prefix of the headers that carry the state of a retry. They count only in the retry
    /// topic, which the bridge writes; in an event they mean nothing and are not copied.
    static let retryPrefix: StaticString = "apns-bridge-retry-"

    /// How often a record was replayed as a dead letter. It stays with the event through retries
    /// and into its next dead letter.
    static let replays: StaticString = "apns-bridge-replays"
}
