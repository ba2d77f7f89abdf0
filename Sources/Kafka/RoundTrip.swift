internal import Synchronization

/// Whether results may go to a cluster one request at a time, by what was seen of it when it was
/// last examined: a record waits for as many round trips as there are partitions.
enum RoundTrip {
    /// What a broker in the same place takes at most, in milliseconds.
    private static let nearest = 5
    /// The most partitions that may wait for each other.
    private static let fewest = 16
    private static let far = Mutex<Set<String>>([])

    /// Remembers what the quickest answer of a cluster took, and how many partitions the largest
    /// topic has that was asked for.
    static func note(milliseconds: Int, partitions: Int, of properties: KafkaProperties) {
        let isFar = milliseconds > nearest || partitions > fewest
        far.withLock { set in
            if isFar { set.insert(properties.addresses) } else { set.remove(properties.addresses) }
        }
    }

    /// True unless something else was seen.
    static func isShort(_ properties: KafkaProperties) -> Bool {
        far.withLock { !$0.contains(properties.addresses) }
    }
}
