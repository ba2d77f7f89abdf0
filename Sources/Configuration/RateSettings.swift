/// The `delivery.rate:` block: how many pushes a worker sends in a time.
public struct RateSettings: Equatable, Sendable {
    /// How many go to one app; nil for as many as Apple takes.
    public var perApp: PushRate?
    /// How many go to one device; nil for as many as there are.
    public var perDevice: PushRate?
    /// True when fewer are underway at a time while Apple is busy or slow.
    public var isAdaptive: Bool

    /// Describes rates; what is left out is off.
    public init(perApp: PushRate? = nil, perDevice: PushRate? = nil, isAdaptive: Bool = false) {
        self.perApp = perApp
        self.perDevice = perDevice
        self.isAdaptive = isAdaptive
    }
}

/// So many pushes in a time, at most as many of them at once.
public struct PushRate: Equatable, Sendable {
    /// How many; above 0.
    public var count: Int
    /// In which time.
    public var period: Duration

    /// Describes a rate.
    public init(_ count: Int, per period: Duration) {
        precondition(count > 0, "a rate of nothing sends nothing")
        self.count = count
        self.period = period
    }
}

extension PushRate {
    /// The units of time in which people write rates.
    static let units: [(name: String, period: Duration)] = [
        ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3600)),
    ]

    /// Reads `2000/s`, `30/m` or `100/h`; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int(parts[0]), count > 0, count <= 1_000_000,
            let unit = Self.units.first(where: { $0.name == parts[1] })
        else { return nil }
        self.init(count, per: unit.period)
    }
}
