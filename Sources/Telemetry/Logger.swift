/// Writes log lines, with the API of swift-log; any thread may log.
///
/// The message is only created if its level is enabled. It must not contain device tokens or
/// secrets: the caller leaves them out.
public struct Logger: Sendable {
    /// Values logged with a message.
    public typealias Metadata = [String: MetadataValue]

    /// The part of the program that logs.
    public var label: String
    /// The minimum level that is written; all copies of a logger share it, and any thread may
    /// change it.
    public var level: LogLevel {
        get { threshold.level }
        nonmutating set { threshold.level = newValue }
    }
    /// The format of log lines; all copies of a logger share it, and any thread may change it.
    public var format: LogFormat {
        get { threshold.format }
        nonmutating set { threshold.format = newValue }
    }
    /// Metadata of every line of this logger.
    public var metadata: Metadata
    private let threshold: LogThreshold
    private let sink: any LogSink
    private let clock: @Sendable () -> Int64

    /// Returns milliseconds since 1970.
    public static let wallClock: @Sendable () -> Int64 = { System.wallClock() }

    /// Creates a logger; `clock` returns milliseconds since 1970.
    public init(
        label: String, level: LogLevel = .info, format: LogFormat = .text,
        metadata: Metadata = [:], sink: any LogSink = DescriptorSink.standardError,
        clock: @escaping @Sendable () -> Int64 = Logger.wallClock
    ) {
        self.label = label
        threshold = LogThreshold(level, format)
        self.metadata = metadata
        self.sink = sink
        self.clock = clock
    }

    /// A metadata value of every line of this logger.
    public subscript(metadataKey key: String) -> MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line, if its level is enabled.
    public func log(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> Metadata = [:]
    ) {
        guard level >= self.level else { return }
        sink.write(line(level, message(), metadata: metadata()))
    }

    /// A line as it would be written now, whatever the minimum level.
    public func line(
        _ level: LogLevel, _ message: String, metadata: Metadata = [:]
    ) -> [UInt8] {
        format.line(
            milliseconds: clock(), level: level, label: label, message: message,
            metadata: self.metadata.merging(metadata) { $1 })
    }
}
