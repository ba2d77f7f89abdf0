/// How a supervisor runs its connectors.
public struct SupervisorOptions: Sendable {
    /// How often the log has a summary of each connector in which anything happened; nil for none.
    public var summaryInterval: Duration?
    /// How missing result topics are created; nil when they are not.
    public var creation: TopicCreation?
    /// What a reload reads; without it none is possible.
    public var files: ReloadSource?
    /// The labels of events that metrics have.
    public var metricLabels: [String] = []
    /// Where workers put finished spans; nil when nothing is traced.
    public var spans: SpanQueue?
    /// Groups that have committed nothing begin without confirmation.
    public var beginsNewGroups = false

    /// Creates options without any of them.
    public init() {}
}
