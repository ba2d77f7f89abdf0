/// How the fields of one request were represented, in their order; at most 32 are kept.
///
/// It holds no memory of its own, so that keeping it costs nothing.
public struct HeaderRepresentations: RandomAccessCollection, Hashable, Sendable {
    /// How many are kept at most.
    public static let capacity = 32

    private var bytes = SIMD32<UInt8>(repeating: 0)
    /// How many fields the block had, kept or not.
    public private(set) var fieldCount = 0

    /// None at all.
    public init() {}

    /// All of it in plain numbers.
    public var packed: (bytes: SIMD4<UInt64>, fieldCount: Int) {
        (unsafe unsafeBitCast(bytes, to: SIMD4<UInt64>.self), fieldCount)
    }

    /// Takes what ``packed`` gave.
    public init(packed: SIMD4<UInt64>, fieldCount: Int) {
        bytes = unsafe unsafeBitCast(packed, to: SIMD32<UInt8>.self)
        self.fieldCount = fieldCount
    }

    /// Keeps one more, as long as there is room.
    public mutating func append(_ representation: HeaderRepresentation) {
        if fieldCount < Self.capacity { bytes[fieldCount] = representation.rawValue }
        fieldCount += 1
    }

    /// How many are of each kind, in the order of ``HeaderRepresentation/Kind``.
    public var countsByKind: (Int, Int, Int, Int) {
        var packed: UInt32 = 0
        for place in 0..<endIndex { packed &+= 1 << (UInt32(bytes[place] & 3) * 8) }
        return (
            Int(packed & 255), Int(packed >> 8 & 255), Int(packed >> 16 & 255), Int(packed >> 24)
        )
    }

    /// The place of the first one.
    public var startIndex: Int { 0 }
    /// The place after the last one that is kept.
    public var endIndex: Int { Swift.min(fieldCount, Self.capacity) }

    /// One of them.
    public subscript(position: Int) -> HeaderRepresentation {
        HeaderRepresentation(rawValue: bytes[position])
    }
}
