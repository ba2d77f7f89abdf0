import BridgeTesting
import Delivery

/// Where each push lies in the retry topic, and which may be gone with a log that was replaced.
struct RetryLogs {
    typealias Position = Oracle.Position

    /// A push of a record of the first topic.
    struct Push: Hashable {
        var position: Position
        var id: String

        init(_ position: Position, _ id: String) { (self.position, self.id) = (position, id) }
    }

    /// The records of a push.
    struct Positions {
        var known: [Position]
        /// A worker may have one that was deleted, or none ever will.
        var mayBeGone: Bool
    }

    private var locations: [Push: [Position]] = [:]
    /// How many retry records of a record are stored, and their writers have not been notified.
    private var unreported: [Position: Int] = [:]
    private var gone: [Position: Set<String>] = [:]
    /// The pushes whose record was deleted: a worker that had read it may send them once more.
    private var deleted: Set<Push> = []
    /// The records that were written before a member noticed that their log was replaced: it may
    /// pass over them.
    private var missed: [Position: Push] = [:]

    subscript(push: Push) -> Positions {
        Positions(
            known: locations[push] ?? [],
            mayBeGone: deleted.contains(push)
                || gone[push.position]?.contains(push.id) ?? false)
    }

    /// A record is stored.
    mutating func noteStored(_ push: Push, at location: Position, mayMiss: Bool) {
        locations[push, default: []].append(location)
        unreported[push.position, default: 0] += 1
        if mayMiss { missed[location] = push }
    }

    /// A writer has been notified that a retry record of a record is stored.
    mutating func noteAcknowledged(_ position: Position) {
        unreported[position] = max(0, (unreported[position] ?? 0) - 1)
    }

    /// The log that has a record is replaced before that was done.
    mutating func noteGone(_ headers: [ResultRecord.Header]) {
        guard let (position, id, _) = Oracle.retry(headers) else { return }
        gone[position, default: []].insert(id)
    }

    /// A log is replaced: what is known of its offsets, and of the pushes of its records, ends.
    mutating func forget(_ partition: Int32) {
        for (location, push) in missed where location.partition == partition {
            gone[push.position, default: []].insert(push.id)
        }
        missed = missed.filter { $0.key.partition != partition }
        for (push, locations) in locations
        where locations.contains(where: { $0.partition == partition }) {
            deleted.insert(push)
        }
        unreported = unreported.filter { $0.key.partition != partition }
        gone = gone.filter { $0.key.partition != partition }
        locations = locations.filter { $0.key.position.partition != partition }
            .mapValues { $0.filter { $0.partition != partition } }
    }

    /// A member begins to read a partition.
    mutating func read(_ partition: Int32, from next: Int64) {
        missed = missed.filter { $0.key.partition != partition || $0.key.offset < next }
    }

    /// True when every writer knows that its retry records of a record are stored.
    func areReported(_ position: Position) -> Bool { unreported[position] ?? 0 == 0 }

    /// True for a place that may be passed over.
    func mayMiss(_ location: Position) -> Bool { missed[location] != nil }

    /// The pushes of a record that may never have an outcome.
    func gone(of position: Position) -> Set<String> {
        (gone[position] ?? []).union(missed.values.filter { $0.position == position }.map(\.id))
    }
}
