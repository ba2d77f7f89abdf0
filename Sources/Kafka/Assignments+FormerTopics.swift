internal import Delivery

/// What is forgotten of topics that match a pattern: such topics may come and go without end.
extension Assignments {
    /// The number of topics without a partition of this member whose library objects are kept.
    private static let maxFormerTopics = 100
    /// The number of partitions of other members that are remembered, in case they are assigned
    /// again.
    static let maxFormerPartitions = 10_000

    /// Forgets partitions that this member does not own any more, once there are many. If one is
    /// assigned again, the member reads it as if it had just started.
    ///
    /// Topics that are listed by name are never forgotten: they are few.
    mutating func forgetFormer(limit: Int = Self.maxFormerPartitions) {
        guard let helper, !helper.topics.patterns.isEmpty else { return }
        let owned = Set(slots.map(\.topicPartition))
        let ownedTopics = Set(owned.map(\.topic))
        if let topics, topics.count > ownedTopics.count + Self.maxFormerTopics {
            // A slot is found by its topic's object: those of its topics stay.
            topics.release(except: ownedTopics)
        }
        guard known.count > owned.count + limit else { return }
        let matching = Set(helper.topics.matching(Set(known.keys.map(\.topic))))
        known = known.filter { owned.contains($0.key) || !matching.contains($0.key.topic) }
        helper.forgetEnds(except: Set(known.keys))
    }
}
