/// A value that a connection repeats, and the index that stands for it.
///
/// Whose array is held cannot change in its place: the same memory is the same value, and nothing
/// need be compared. It is held from the third time on, so that values which take turns are not
/// copied each time.
struct ConstantField {
    private var held: [UInt8] = []
    private var address: UInt = 0
    private var timesInRow = 0
    private(set) var index = 0
    /// The state of the table in which the index holds.
    private(set) var version = -1

    /// True when the value is the one that is held.
    @inline(__always)
    func holds(_ value: [UInt8]) -> Bool {
        held.count == value.count && !held.isEmpty && Self.address(of: value) == address
    }

    /// The value stands in the table.
    mutating func found(_ value: [UInt8], at index: Int, version: Int) {
        let address = Self.address(of: value)
        let isAsBefore = address == self.address && index == self.index && version == self.version
        timesInRow = isAsBefore ? timesInRow + 1 : 0
        (self.address, self.index, self.version) = (address, index, version)
        held = timesInRow >= 2 ? value : []
    }

    @inline(__always)
    private static func address(of value: [UInt8]) -> UInt {
        unsafe value.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
