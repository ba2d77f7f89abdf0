/// The sizes of blocks: four to each power of two, from 256 bytes on.
enum SizeClass {
    private static let smallest = 256

    /// The first class that holds so many bytes.
    static func index(of size: Int) -> Int {
        guard size > smallest else { return 0 }
        let power = Int.bitWidth - (size - 1).leadingZeroBitCount - 1
        let quarter = (size - 1) >> (power - 2) & 3
        return (power - 8) * 4 + quarter + 1
    }

    /// How many bytes a block of a class has.
    static func size(of index: Int) -> Int {
        smallest << (index / 4) / 4 * (4 + index % 4)
    }
}
