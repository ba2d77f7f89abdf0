/// The `results:` block: the topics of outcomes, and how they contain device tokens.
public struct ResultsSettings: Equatable, Sendable {
    /// How outcomes contain the device token.
    public enum DeviceTokenPrivacy: String, CaseIterable, Sendable {
        /// Completely.
        case full
        /// Its SHA-256.
        case hashed
        /// Not at all.
        case omitted
    }

    /// Whether outcomes are CloudEvents.
    public enum CloudEvents: String, CaseIterable, Sendable {
        /// They are not: the value contains everything.
        case none
        /// The attributes are headers.
        case binary
        /// The attributes are members of the value, next to `data`.
        case structured
    }

    /// The partition that an outcome is written to.
    public enum Partitioner: String, CaseIterable, Sendable {
        /// The source record's partition number, if the topics have equally many partitions.
        case source
        /// The partition determined by its key.
        case key
    }

    /// The topic of outcomes.
    public var outcomes: String
    /// The compacted topic of unregistered device tokens.
    public var unregistered: String
    /// The topic of records that could not be delivered.
    public var deadLetter: String
    /// The topic of pushes that wait for a retry and do not fit in memory; nil for none.
    public var retry: String?
    /// All topics of results, including the topic of retries.
    public var topics: [String] {
        [outcomes, unregistered, deadLetter] + (retry.map { [$0] } ?? [])
    }
    /// How outcomes contain the device token.
    public var deviceTokens: DeviceTokenPrivacy

    /// True when records excluded by `when` have outcomes too: `dropped`, `filtered`.
    public var reportsFiltered: Bool
    /// Whether outcomes are CloudEvents.
    public var cloudEvents: CloudEvents
    /// The partition that an outcome is written to.
    public var partitioner: Partitioner
    /// True when outcomes contain the key of the source record as a field.
    public var containsEventKey: Bool

    /// What records that are read again are sealed with; nil for no seals.
    public var seal: SealKeys?

    /// Creates the settings.
    public init(
        outcomes: String, unregistered: String, deadLetter: String, retry: String? = nil,
        deviceTokens: DeviceTokenPrivacy = .full, reportsFiltered: Bool = false,
        cloudEvents: CloudEvents = .none, partitioner: Partitioner = .source,
        containsEventKey: Bool = false
    ) {
        self.outcomes = outcomes
        self.unregistered = unregistered
        self.deadLetter = deadLetter
        self.retry = retry
        self.deviceTokens = deviceTokens
        self.reportsFiltered = reportsFiltered
        self.cloudEvents = cloudEvents
        self.partitioner = partitioner
        self.containsEventKey = containsEventKey
    }
}
