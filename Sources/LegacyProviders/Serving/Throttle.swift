internal import Delivery
internal import Telemetry

/// Lets one log line a second through, with the number of connections that it stands for.
struct Throttle {
    private static let pause = Duration.seconds(1)

    private var fields: Logger.Metadata?
    private var count = 0
    private var next = Instant.distantPast

    /// Counts a connection; the first one of a line gives it its fields.
    mutating func add(_ fields: @autoclosure () -> Logger.Metadata) {
        if self.fields == nil { self.fields = fields() }
        count += 1
    }

    /// The fields of the line that is due, if one is.
    mutating func take(at now: Instant) -> Logger.Metadata? {
        guard var fields, now >= next else { return nil }
        fields["connections"] = .number(count)
        self.fields = nil
        count = 0
        next = now + Self.pause
        return fields
    }
}
