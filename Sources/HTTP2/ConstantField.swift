/// A value that a connection repeats, and its index in the header table.
///
/// An array that is retained cannot change in place: the same memory means the same value, so
/// nothing needs to be compared. It is retained from its third use on, so that alternating values
/// are not copied each time.
struct ConstantField {
    private var held: [UInt8] = []
    /// The size of the retained array; 0 when none is retained.
    private var heldCount = 0
    private var address: UInt = 0
    private var timesInRow = 0
    private(set) var index = 0
    /// The version of the table that the index is valid for.
    private(set) var version = -1

    /// True when the value is the retained one.
    func holds(_ value: [UInt8]) -> Bool {
        heldCount > 0 && heldCount == value.count && Self.address(of: value) == address
    }

    /// The value is in the table.
    mutating func found(_ value: [UInt8], at index: Int, version: Int) {
        let address = Self.address(of: value)
        let isAsBefore = address == self.address && index == self.index && version == self.version
        timesInRow = isAsBefore ? timesInRow + 1 : 0
        (self.address, self.index, self.version) = (address, index, version)
        held = timesInRow >= 2 ? value : []
        heldCount = held.count
    }

    static func address(of value: [UInt8]) -> UInt {
        unsafe value.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
