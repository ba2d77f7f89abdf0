/// A time in which no broker of a Kafka cluster can be reached.
public struct KafkaOutage: Equatable, Sendable {
    /// The number of brokers that are known, none of which is connected.
    public var brokers: Int
    /// Why the last connection failed; empty when nothing is known about it.
    public var detail: String

    /// Describes an outage.
    public init(brokers: Int, detail: String) {
        self.brokers = brokers
        self.detail = detail
    }
}
