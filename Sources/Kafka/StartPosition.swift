/// Where a group starts in a partition without a committed offset.
public enum StartPosition: String, Sendable {
    /// At the oldest record that Kafka still has.
    case earliest
    /// After the newest record.
    case latest
}
