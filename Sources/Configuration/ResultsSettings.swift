/// The `results:` block: where outcomes go, and how much of a device token they show.
public struct ResultsSettings: Equatable, Sendable {
    /// How outcomes show the device token.
    public enum DeviceTokenPrivacy: String, CaseIterable, Sendable {
        /// All of it.
        case full
        /// Its SHA-256.
        case hashed
        /// Nothing.
        case omitted
    }

    /// Whether outcomes are CloudEvents.
    public enum CloudEvents: String, CaseIterable, Sendable {
        /// They are not: the value says everything.
        case none
        /// The attributes are headers.
        case binary
        /// The attributes are members of the value, beside `data`.
        case structured
    }

    /// Which partition an outcome goes to.
    public enum Partitioner: String, CaseIterable, Sendable {
        /// The one with the number of its source record's, where there are as many partitions.
        case source
        /// The one that follows from its key.
        case key
    }

    /// The topic for outcomes.
    public var outcomes: String
    /// The compacted topic for device tokens that are unregistered.
    public var unregistered: String
    /// The topic for records that could not be delivered.
    public var deadLetter: String
    /// The topic of the pushes that wait for a retry and have no room in memory; nil for none.
    public var retry: String?
    /// How outcomes show the device token.
    public var deviceTokens: DeviceTokenPrivacy

    /// True when a record that `when` leaves out has an outcome, too: `dropped`, `filtered`.
    public var reportsFiltered: Bool
    /// Whether outcomes are CloudEvents.
    public var cloudEvents: CloudEvents
    /// Which partition an outcome goes to.
    public var partitioner: Partitioner

    /// Names the topics.
    public init(
        outcomes: String, unregistered: String, deadLetter: String, retry: String? = nil,
        deviceTokens: DeviceTokenPrivacy = .full, reportsFiltered: Bool = false,
        cloudEvents: CloudEvents = .none, partitioner: Partitioner = .source
    ) {
        self.outcomes = outcomes
        self.unregistered = unregistered
        self.deadLetter = deadLetter
        self.retry = retry
        self.deviceTokens = deviceTokens
        self.reportsFiltered = reportsFiltered
        self.cloudEvents = cloudEvents
        self.partitioner = partitioner
    }
}
