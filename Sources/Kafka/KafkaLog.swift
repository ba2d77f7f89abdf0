internal import CRDKafka

/// A line that librdkafka wants to be read by an operator.
public struct KafkaLog: Equatable, Sendable {
    /// The severity of syslog: 3 is an error, 4 a warning, 6 news, 7 for debugging.
    public var level: Int
    /// The part of the library that speaks, for example `FAIL`.
    public var facility: String
    /// What it says.
    public var message: String

    /// Describes a line.
    public init(level: Int, facility: String, message: String) {
        self.level = level
        self.facility = facility
        self.message = message
    }
}
