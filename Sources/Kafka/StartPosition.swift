/// Where a group begins in a partition for which it has committed nothing.
public enum StartPosition: String, Sendable {
    /// At the oldest record that Kafka still has.
    case earliest
    /// After the newest record.
    case latest
}
