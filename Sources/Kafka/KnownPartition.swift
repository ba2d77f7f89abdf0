internal import Delivery

/// What a member knows of a partition that it owns, or owned before.
struct KnownPartition {
    /// The next offset to hand over when the partition was last given up.
    var next: Int64
    var commits: OwnCommits
    /// The number of partitions that its topic had when the group began to read it.
    var partitionCount: Int?

    /// What is known when the partition is assigned.
    init(_ partitionStart: PartitionStart) {
        next = partitionStart.committed
        commits = OwnCommits(stored: partitionStart.committed, metadata: partitionStart.metadata)
        partitionCount =
            partitionStart.partitionCount
            ?? LogMark(metadata: partitionStart.metadata).partitionCount
    }

    /// The time of the last record that is known to be finished, in milliseconds since 1970.
    var time: Int64? { commits.latestMark.time }
}

/// The commits of this member that a partition's committed offset may be.
///
/// A committed offset that is none of them is another member's, which has read the partition since.
struct OwnCommits {
    /// An offset, and a hash of its metadata: that has up to 12 KB, and is only compared.
    private struct Stored: Equatable {
        var next: Int64
        var metadata: Int

        init(_ next: Int64, _ metadata: String) {
            self.next = next
            self.metadata = metadata.hashValue
        }
    }

    /// The last one that Kafka is known to have stored, then those that it may have stored since.
    private var possible: [Stored]
    /// What the newest commit says about the log, stored or not: it is true.
    private(set) var latestMark: LogMark
    /// How many are kept: while Kafka stores none, they differ little.
    private static let limit = 64

    init(stored next: Int64, metadata: String) {
        possible = [Stored(next, metadata)]
        latestMark = LogMark(metadata: metadata)
    }

    mutating func willCommit(_ commit: OffsetCommit) {
        latestMark = LogMark(metadata: commit.metadata)
        let stored = Stored(commit.next, commit.metadata)
        guard possible.last != stored else { return }
        if possible.count == Self.limit { possible.remove(at: 1) }
        possible.append(stored)
    }

    mutating func didCommit(_ commit: OffsetCommit) {
        let stored = Stored(commit.next, commit.metadata)
        guard let index = possible.lastIndex(of: stored) else { return }
        possible.removeFirst(index)
    }

    /// True unless another member must have committed this. Some brokers keep no metadata.
    func mayBeOurs(_ next: Int64, _ metadata: String) -> Bool {
        let stored = Stored(next, metadata)
        return possible.contains { $0.next == next && (metadata.isEmpty || $0 == stored) }
    }
}
