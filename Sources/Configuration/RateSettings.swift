/// The `delivery.rate:` block: limits on a worker's pushes per unit of time.
public struct RateSettings: Equatable, Sendable {
    /// Who has the rate per app.
    public enum Owner: String, Sendable {
        /// Each worker has all of it.
        case worker
        /// The workers of the group share it as they share the partitions of the source topics.
        case group
    }

    /// The limit per app; nil for none but APNs's own.
    public var perApp: PushRate?
    /// Whether that is the rate of each worker or of the group.
    public var owner = Owner.worker
    /// The limit per device; nil for none.
    public var perDevice: PushRate?
    /// True when fewer requests are sent at a time while APNs is busy or slow.
    public var isAdaptive: Bool

    /// Creates rates; omitted ones are off.
    public init(perApp: PushRate? = nil, perDevice: PushRate? = nil, isAdaptive: Bool = false) {
        self.perApp = perApp
        self.perDevice = perDevice
        self.isAdaptive = isAdaptive
    }
}

/// A number of pushes per period, which may also be sent in a single burst.
public struct PushRate: Equatable, Sendable {
    /// The number of pushes; positive.
    public var count: Int
    /// The period.
    public var period: Duration

    /// Creates a rate.
    public init(_ count: Int, per period: Duration) {
        precondition(count > 0, "a rate of nothing sends nothing")
        self.count = count
        self.period = period
    }
}

extension PushRate {
    /// The units of time in rates.
    static let units: [(name: String, period: Duration)] = [
        ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
    ]

    /// Parses `2000/s`, `30/m` or `100/h`; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int(parts[0]), count > 0, count <= 1_000_000,
            let unit = Self.units.first(where: { $0.name == parts[1] })
        else { return nil }
        self.init(count, per: unit.period)
    }
}
