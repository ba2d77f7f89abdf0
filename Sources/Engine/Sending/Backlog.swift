/// The last buffered push of each kind that later ones supersede, by a hash of its partition,
/// app, device token and, for an alert, collapse ID: `delivery.supersede: backlog`.
///
/// An entry may name a push that is done or in flight by now, and hashes may collide: whoever reads
/// it examines the push. There are about as many entries as pushes that are not done.
struct Backlog: ~Copyable {
    /// Entries are examined for removal only once there are more than so many.
    static let minTrimmed = 64

    /// False where no buffered push is superseded: then nothing is recorded.
    let isUsed: Bool
    private var last: [UInt64: PushID] = [:]
    /// The last push with a key that ended what the others update.
    private var ends: [UInt64: (id: PushID, sequence: UInt64)] = [:]

    init(isUsed: Bool) { self.isUsed = isUsed }

    /// The number of entries.
    var count: Int { last.count }

    /// The last push that was added with a key; nil for none.
    subscript(key: UInt64) -> PushID? { last[key] }

    /// The last push with a key is this one. Entries of pushes that are done are removed once there
    /// are twice as many as there are pushes.
    mutating func add(_ id: PushID, _ key: UInt64, _ pushes: borrowing PushTable) {
        last[key] = id
        guard last.count > 2 * pushes.count + Self.minTrimmed else { return }
        // A push that was just added is not open yet.
        last = last.filter { $0.value == id || pushes.isCurrent($0.value) }
    }

    /// The pushes with a key that are there are superseded by none that comes later.
    mutating func end(
        _ key: UInt64, by id: PushID, sequence: UInt64, _ pushes: borrowing PushTable
    ) {
        last[key] = nil
        ends[key] = (id, sequence)
        guard ends.count > 2 * pushes.count + Self.minTrimmed else { return }
        ends = ends.filter { $0.value.id == id || pushes.isCurrent($0.value.id) }
    }

    /// True when a push with a key that was read later is an end.
    func hasEnd(_ key: UInt64, after sequence: UInt64) -> Bool {
        ends[key].map { $0.sequence > sequence } ?? false
    }
}
