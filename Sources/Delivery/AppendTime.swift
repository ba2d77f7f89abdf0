/// What a broker's clock said when it stored a record for which a source had waited at the end of
/// its log.
public struct AppendTime: Equatable, Sendable, BitwiseCopyable {
    /// The time of the record, in milliseconds since 1970.
    public var time: Int64
    /// When the log did not have the record yet.
    public var notBefore: Instant

    /// Describes a time.
    public init(time: Int64, notBefore: Instant) {
        self.time = time
        self.notBefore = notBefore
    }
}
