/// Where the paths of a table lead to in one text, as far as somebody has followed them.
@safe public struct JSONPathPlaces: ~Copyable {
    /// Nobody has followed the path yet.
    static let unknown = Int32.min
    /// By the paths' numbers; -1 when a path leads nowhere.
    let nodes: UnsafeMutableBufferPointer<Int32>

    /// Knows nothing yet of the paths of `table`.
    public init(for table: borrowing JSONPathTable) {
        let nodes = UnsafeMutableBufferPointer<Int32>.allocate(capacity: table.count)
        unsafe nodes.initialize(repeating: Self.unknown)
        unsafe self.nodes = unsafe nodes
    }

    deinit { unsafe nodes.deallocate() }

    /// Forgets everything, for another text or another beginning of the paths.
    public mutating func forget() { unsafe nodes.update(repeating: Self.unknown) }
}
