import Configuration

/// Checks that pushes with the same ordering key are sent one after the other, by the times that
/// their outcomes show.
struct OrderCheck {
    private struct Sent {
        var id: String
        var offset: Int64
        var index: Int
        var first: String
        var decided: String
    }

    private struct Key: Hashable {
        var partition: Int32
        var text: String
    }

    private let ordering: DeliverySettings.Ordering
    private var sent: [Key: [Sent]] = [:]
    /// When each partition was assigned: a new owner sends again what had no outcome.
    private var assigned: [Int32: [String]] = [:]

    /// Partitions whose logs lost their end: reading goes on at an earlier record, which is sent
    /// again, and so are those that follow it.
    private var readAgain: Set<Int32> = []

    /// The pushes that have taken the places of older ones.
    private var moved: Set<String> = []

    init(_ ordering: DeliverySettings.Ordering) { self.ordering = ordering }

    mutating func assigned(_ partition: Int32, at time: String) {
        assigned[partition, default: []].append(time)
    }

    /// These offsets will stand for other records. If others are left, they may be read once more.
    mutating func forget(_ partition: Int32, from offset: Int64) {
        for key in sent.keys where key.partition == partition {
            sent[key]?.removeAll { $0.offset >= offset }
        }
        if offset > 0 { readAgain.insert(partition) }
    }

    mutating func note(_ outcome: String, _ partition: Int32, _ offset: Int64, key: [UInt8]?) {
        if let newer = outcome.components(after: #""superseded_by":""#)?.quoted {
            moved.insert(String(newer))
        }
        guard ordering != .none, let id = outcome.components(after: #""apns_id":""#)?.quoted,
            let text = orderingKey(outcome, key),
            let first = outcome.components(after: #""first_sent_at":""#)?.quoted,
            let decided = outcome.components(after: #""decided_at":""#)?.quoted,
            let index = outcome.components(after: #","index":"#)?.digits
        else { return }
        let push = Sent(
            id: String(id), offset: offset, index: Int(index) ?? 0, first: String(first),
            decided: String(decided))
        sent[Key(partition: partition, text: text), default: []].append(push)
    }

    /// Nil for a push that waits for no other.
    private func orderingKey(_ outcome: String, _ key: [UInt8]?) -> String? {
        func text(_ field: StaticString) -> String? {
            outcome.components(after: field).map { String($0.quoted) }
        }
        return switch ordering {
        case .none: nil
        case .device: text(#""device_token":""#) ?? text(#""channel_id":""#)
        case .key: key.map { String(decoding: $0, as: UTF8.self) }
        case .collapse: text(#""collapse_id":""#).map { $0 + (text(#""device_token":""#) ?? "") }
        case .partition: ""
        }
    }

    /// The pushes that were sent before their predecessors were decided.
    func mistakes(without shared: Set<Int32>) -> [String] {
        sent.filter { !shared.contains($0.key.partition) }.flatMap { key, pushes in
            let pushes = pushes.filter { !moved.contains($0.id) }
            let locations = Dictionary(grouping: pushes) { [$0.offset, Int64($0.index)] }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return zip(locations, locations.dropFirst()).flatMap { former, latter in
                mistakes(latter.value, after: former.value, key)
            }
        }
    }

    /// A push has several outcomes when it was sent by several owners.
    private func mistakes(_ latter: [Sent], after former: [Sent], _ key: Key) -> [String] {
        let first = former.min { $0.decided < $1.decided }
        let former = readAgain.contains(key.partition) ? first.map { [$0] } ?? [] : former
        return latter.flatMap { latter in
            former.filter { isEarly(latter, $0, key.partition) }.map {
                "\(key) \(latter.offset) was sent at \(latter.first), before"
                    + " \($0.offset) was decided at \($0.decided)"
            }
        }
    }

    /// What an owner sent before it lost the partition binds no later owner, which sends it again.
    private func isEarly(_ latter: Sent, _ former: Sent, _ partition: Int32) -> Bool {
        guard latter.first < former.decided else { return false }
        let first = min(former.first, latter.first)
        return !(assigned[partition] ?? []).contains { first <= $0 && $0 <= former.decided }
    }
}
