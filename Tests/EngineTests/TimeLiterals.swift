public import Delivery

@testable import Engine

/// Moments of tests, in nanoseconds.
extension Instant: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(nanoseconds: value) }
}

/// Pushes of tests that have no table.
extension PushID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}

extension Duration {
    static func * (count: some BinaryInteger, duration: Duration) -> Duration { duration * count }
}
