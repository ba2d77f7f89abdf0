internal import Synchronization

/// Whether to produce results one request at a time, judging by the last inspection of the cluster
/// and of the topics that are written to: a record waits for as many round trips as there are
/// partitions.
enum RoundTrip {
    /// A topic of a cluster.
    private struct Topic: Hashable {
        var addresses: String
        var name: String
    }

    private struct State {
        var far: Set<String> = []
        var wide: Set<Topic> = []
    }

    /// The longest response time of a broker in the same data centre, in milliseconds.
    private static let nearest = 5
    /// The most partitions that may wait for each other.
    private static let fewest = 16
    private static let state = Mutex(State())

    /// Records a cluster's fastest response time and the partition counts of its topics.
    static func note(milliseconds: Int, partitions: [String: Int], of properties: KafkaProperties) {
        let addresses = properties.addresses
        state.withLock { state in
            if milliseconds > nearest {
                state.far.insert(addresses)
            } else {
                state.far.remove(addresses)
            }
            for (name, count) in partitions {
                let topic = Topic(addresses: addresses, name: name)
                if count > fewest { state.wide.insert(topic) } else { state.wide.remove(topic) }
            }
        }
    }

    /// True for records to these topics, unless an inspection found otherwise.
    static func isShort(_ properties: KafkaProperties, to topics: [String]) -> Bool {
        let addresses = properties.addresses
        return state.withLock { state in
            !state.far.contains(addresses)
                && !topics.contains {
                    state.wide.contains(Topic(addresses: addresses, name: $0))
                }
        }
    }
}
