/// The sizes of blocks: four per power of two, starting at 256 bytes.
enum SizeClass {
    private static let smallest = 256

    /// The smallest class for this many bytes.
    static func index(of size: Int) -> Int {
        guard size > smallest else { return 0 }
        let power = Int.bitWidth - (size - 1).leadingZeroBitCount - 1
        let quarter = (size - 1) >> (power - 2) & 3
        return (power - 8) * 4 + quarter + 1
    }

    /// The block size of a class.
    static func size(of index: Int) -> Int {
        smallest << (index / 4) / 4 * (4 + index % 4)
    }
}
