/// A value with the trace that it comes from.
public struct Exemplar: Equatable, Sendable {
    /// The value.
    public var value: UInt64
    /// The trace, in hexadecimal digits.
    public var trace: String
    /// When it was recorded, in milliseconds since 1970.
    public var time: Int64

    /// Describes a value of a trace.
    public init(value: UInt64, trace: String, time: Int64) {
        self.value = value
        self.trace = trace
        self.time = time
    }
}

/// The newest exemplar of each power of two, so that slow traces outlive many fast ones.
public struct Exemplars: Equatable, Sendable {
    /// By the number of significant bits of the value; empty until there is one.
    private var slots: [Exemplar?] = []

    /// There is none yet.
    public init() {}

    /// Replaces the one of the same power of two.
    public mutating func note(_ exemplar: Exemplar) {
        if slots.isEmpty { slots = Array(repeating: nil, count: UInt64.bitWidth + 1) }
        slots[Self.slot(of: exemplar)] = exemplar
    }

    private static func slot(of exemplar: Exemplar) -> Int {
        UInt64.bitWidth - exemplar.value.leadingZeroBitCount
    }

    /// The newest one above a value, if any, and up to another.
    func newest(above low: UInt64?, upTo high: UInt64) -> Exemplar? {
        slots.compactMap { $0 }
            .filter { exemplar in
                exemplar.value <= high && low.map { exemplar.value > $0 } ?? true
            }
            .max { $0.time < $1.time }
    }

    mutating func merge(_ other: Self) {
        for case let exemplar? in other.slots where isNewest(exemplar) { note(exemplar) }
    }

    private func isNewest(_ exemplar: Exemplar) -> Bool {
        let slot = Self.slot(of: exemplar)
        guard slots.indices.contains(slot), let known = slots[slot] else { return true }
        return known.time <= exemplar.time
    }
}
