/// Writes what happens, in the vocabulary of swift-log; any thread may log.
///
/// The message is only made when its level is on. Device tokens and secrets have no place in
/// it: the caller leaves them out.
public struct Logger: Sendable {
    /// Values beside a message.
    public typealias Metadata = [String: MetadataValue]

    /// Which part of the program speaks.
    public var label: String
    /// The lowest level that is written.
    public var level: LogLevel
    /// How a line is written.
    public var format: LogFormat
    /// What every line of this logger carries.
    public var metadata: Metadata
    private let sink: any LogSink
    private let clock: @Sendable () -> Int64

    /// Tells milliseconds since 1970.
    public static let wallClock: @Sendable () -> Int64 = { System.wallClock() }

    /// Makes a logger; `clock` tells milliseconds since 1970.
    public init(
        label: String, level: LogLevel = .info, format: LogFormat = .text,
        metadata: Metadata = [:], sink: any LogSink = DescriptorSink.standardError,
        clock: @escaping @Sendable () -> Int64 = Logger.wallClock
    ) {
        self.label = label
        self.level = level
        self.format = format
        self.metadata = metadata
        self.sink = sink
        self.clock = clock
    }

    /// A value that every line of this logger carries.
    public subscript(metadataKey key: String) -> MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line, if its level is on.
    public func log(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> Metadata = [:]
    ) {
        guard level >= self.level else { return }
        let all = self.metadata.merging(metadata()) { $1 }
        sink.write(
            format.line(
                milliseconds: clock(), level: level, label: label, message: message(),
                metadata: all))
    }
}
