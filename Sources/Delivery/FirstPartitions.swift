/// How many partitions a topic had when its group began to read it.
///
/// Where a group starts is set for these alone: one that is added later is read from its beginning.
/// The first commits of a group record the number, and all later ones keep it: one missing offset
/// proves nothing, since the second member of a new group, or the next after one that died between
/// its first commits, finds the same.
public enum FirstPartitions {
    /// Determines the number from the metadata of the offsets that the group has committed, by
    /// partition, and the number that there are now.
    ///
    /// A group without offsets begins now. Commits of older versions do not have the number: then
    /// the partitions up to the last one with an offset were there.
    public static func count(committed: [Int32: String], now count: Int) -> Int {
        let recorded = committed.values.compactMap { LogMark(metadata: $0).partitionCount }
        if let least = recorded.min() { return least }
        return committed.keys.max().map { Int($0) + 1 } ?? count
    }
}
