/// The latency of responses, in milliseconds: constant or distributed.
public enum Latency: Equatable, Sendable, ExpressibleByIntegerLiteral {
    /// Constant.
    case fixed(Int)
    /// Uniformly distributed.
    case uniform(ClosedRange<Int>)
    /// Percentiles with linear interpolation.
    case percentiles([Percentile])

    /// One point of a distribution.
    public struct Percentile: Equatable, Sendable {
        /// The share of all responses, from 0 to 1.
        public var share: Double
        /// Their maximum latency in milliseconds.
        public var milliseconds: Int

        /// Creates a point.
        public init(share: Double, milliseconds: Int) {
            self.share = share
            self.milliseconds = milliseconds
        }
    }

    /// Creates a constant latency.
    public init(integerLiteral milliseconds: Int) { self = .fixed(milliseconds) }

    /// True for no latency.
    var isZero: Bool { self == .fixed(0) }

    /// The latency at a point of the distribution.
    func duration(at fraction: Double) -> Duration {
        switch self {
        case .fixed(let milliseconds): return .milliseconds(milliseconds)
        case .uniform(let range):
            let width = Double(range.upperBound - range.lowerBound)
            return .milliseconds(Double(range.lowerBound) + fraction * width)
        case .percentiles(let points):
            guard let first = points.first, let last = points.last else { return .zero }
            guard let index = points.firstIndex(where: { $0.share >= fraction }) else {
                return .milliseconds(Double(last.milliseconds))
            }
            guard index > 0 else { return .milliseconds(Double(first.milliseconds)) }
            let low = points[index - 1]
            let high = points[index]
            let part = (fraction - low.share) / (high.share - low.share)
            return .milliseconds(
                Double(low.milliseconds) + part * Double(high.milliseconds - low.milliseconds))
        }
    }
}

extension Latency: CustomStringConvertible {
    /// A description of the latency.
    public var description: String {
        switch self {
        case .fixed(let milliseconds): return "\(milliseconds) ms"
        case .uniform(let range): return "\(range.lowerBound) to \(range.upperBound) ms"
        case .percentiles(let points):
            guard let last = points.last else { return "0 ms" }
            return "up to \(last.milliseconds) ms"
        }
    }
}
