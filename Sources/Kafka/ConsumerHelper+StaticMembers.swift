internal import CRDKafka
internal import Delivery
internal import Synchronization

/// A member with a name that comes back within its session timeout gets the partitions that it had,
/// without a rebalance: Kafka asks nobody to distribute partitions that were added meanwhile, and
/// the library knows of no other number than today's.
///
/// Such a member looks once at what the group's members have. If that is not everything, it leaves
/// and joins again.
extension ConsumerHelper {
    /// The first assignment has come: it may lack partitions.
    func checkMembership() {
        guard membership != nil else { return }
        let isFirst = state.withLock { state in
            defer { state.checksMembership = state.checksMembership ?? true }
            return state.checksMembership == nil
        }
        if isFirst { wakeup.signal() }
    }

    /// The topics of which no member has some partitions, once; empty for none.
    func takeUnassigned() -> [String] {
        state.withLock { state in
            defer { state.unassigned = [] }
            return state.unassigned
        }
    }

    /// Compares what the group's members have with the partitions of its topics, if that is due.
    func checkMembershipIfDue() {
        guard let group = membership, state.withLock({ $0.checksMembership == true })
        else { return }
        state.withLock { $0.checksMembership = false }
        var counts: [String: Int] = [:]
        guard let all = try? client.names(of: topics, milliseconds: 2000) else { return }
        for topic in all where !isStopping {
            let found = try? client.describe(topic, milliseconds: 2000).topic
            if case .partitions(let count)? = found {
                counts[topic] = count
            } else if topics.names.contains(topic) {
                return
            }
            // One that matches a pattern may have been deleted meanwhile.
        }
        guard !isStopping,
            let assigned = client.assignedCounts(of: group, milliseconds: 2000)
        else { return }
        let unassigned = all.filter { assigned[$0] ?? 0 < counts[$0] ?? 0 }
        guard !unassigned.isEmpty else { return }
        state.withLock { $0.unassigned = unassigned }
        owner.signal()
    }
}
