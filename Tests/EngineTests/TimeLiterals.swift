public import Delivery

@testable import Engine

/// Moments of tests, in nanoseconds.
extension Instant: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(nanoseconds: value) }

    static func - (left: Instant, right: Instant) -> Duration { right.duration(to: left) }
    static func += (moment: inout Instant, duration: Duration) { moment = moment + duration }
}

/// Pushes of tests that have no table.
extension PushID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}

extension Duration {
    /// Whole seconds.
    var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    static func * (count: some BinaryInteger, duration: Duration) -> Duration { duration * count }
}
