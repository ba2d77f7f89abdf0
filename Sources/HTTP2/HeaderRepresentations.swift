/// How the fields of one request were represented, in order; at most 32 are kept.
///
/// Stored inline, so that keeping it costs nothing.
public struct HeaderRepresentations: RandomAccessCollection, Hashable, Sendable {
    /// How many are kept.
    public static let capacity = 32

    private var bytes = SIMD32<UInt8>(repeating: 0)
    /// How many fields the block had, kept or not.
    public private(set) var fieldCount = 0

    /// Creates an empty collection.
    public init() {}

    /// The whole content in plain numbers.
    public var packed: (bytes: SIMD4<UInt64>, fieldCount: Int) {
        (unsafe unsafeBitCast(bytes, to: SIMD4<UInt64>.self), fieldCount)
    }

    /// Creates the collection from ``packed``.
    public init(packed: SIMD4<UInt64>, fieldCount: Int) {
        bytes = unsafe unsafeBitCast(packed, to: SIMD32<UInt8>.self)
        self.fieldCount = fieldCount
    }

    /// Appends a representation if there is room.
    public mutating func append(_ representation: HeaderRepresentation) {
        if fieldCount < Self.capacity { bytes[fieldCount] = representation.rawValue }
        fieldCount += 1
    }

    /// The number of each kind, in the order of ``HeaderRepresentation/Kind``.
    public var countsByKind: (Int, Int, Int, Int) {
        var packed: UInt32 = 0
        for place in 0..<endIndex { packed &+= 1 << (UInt32(bytes[place] & 3) * 8) }
        return (
            Int(packed & 255), Int(packed >> 8 & 255), Int(packed >> 16 & 255), Int(packed >> 24)
        )
    }

    /// The position of the first representation.
    public var startIndex: Int { 0 }
    /// The position after the last one kept.
    public var endIndex: Int { Swift.min(fieldCount, Self.capacity) }

    /// The representation at a position.
    public subscript(position: Int) -> HeaderRepresentation {
        HeaderRepresentation(rawValue: bytes[position])
    }
}
