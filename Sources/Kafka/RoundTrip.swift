internal import Synchronization

/// Whether to produce results one request at a time, judging by the cluster's last inspection: a
/// record waits for as many round trips as there are partitions.
enum RoundTrip {
    /// The longest response time of a broker in the same data centre, in milliseconds.
    private static let nearest = 5
    /// The most partitions that may wait for each other.
    private static let fewest = 16
    private static let far = Mutex<Set<String>>([])

    /// Records a cluster's fastest response time and the partition count of the largest requested
    /// topic.
    static func note(milliseconds: Int, partitions: Int, of properties: KafkaProperties) {
        let isFar = milliseconds > nearest || partitions > fewest
        far.withLock { set in
            if isFar { set.insert(properties.addresses) } else { set.remove(properties.addresses) }
        }
    }

    /// True unless an inspection found otherwise.
    static func isShort(_ properties: KafkaProperties) -> Bool {
        far.withLock { !$0.contains(properties.addresses) }
    }
}
