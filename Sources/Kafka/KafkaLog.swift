internal import CRDKafka

/// A log line of librdkafka.
public struct KafkaLog: Equatable, Sendable {
    /// The syslog severity: 3 is an error, 4 a warning, 6 informational, 7 debug.
    public var level: Int
    /// The part of the library that logged it, for example `FAIL`.
    public var facility: String
    /// The text.
    public var message: String

    /// Describes a line.
    public init(level: Int, facility: String, message: String) {
        self.level = level
        self.facility = facility
        self.message = message
    }
}
