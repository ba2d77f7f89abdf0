internal import Delivery
internal import Mapping

/// The schemas that records wait for.
struct SchemaWaits: ~Copyable {
    /// A record that waits, and its schema.
    struct Held: Sendable {
        var slot: Int
        var schema: SchemaID?
    }

    /// A schema that is being looked up.
    struct Open: Sendable {
        var since: Instant
        /// Why it takes a while; nil while nothing has failed.
        var detail: String?
    }

    /// How often a schema that is unknown or cannot be used is looked up again, while its records
    /// are dropped: what responded last may not have been the registry.
    static let faultInterval = Duration.seconds(60)

    /// True when values are not JSON.
    let areNeeded: Bool
    /// The number of records that have arrived and cannot be mapped yet.
    var heldCount = 0
    private(set) var open: [SchemaID: Open] = [:]
    /// Those to look up that have not been reported.
    private var questions: [SchemaID] = []
    /// The schemas whose records are dropped, and when each was last looked up.
    private var faults: [SchemaID: (fault: SchemaFault, at: Instant)] = [:]

    init(areNeeded: Bool) { self.areNeeded = areNeeded }

    /// True while some look-up does not succeed.
    private var isFailing: Bool { open.values.contains { $0.detail != nil } }

    /// True when the records of some schema are dropped.
    var hasFaults: Bool { !faults.isEmpty }

    /// A record needs a schema.
    mutating func ask(for id: SchemaID, now: Instant) {
        guard open[id] == nil else { return }
        open[id] = Open(since: now)
        questions.append(id)
    }

    /// Asks now and then for a schema whose records are dropped.
    mutating func askAgain(for id: SchemaID, now: Instant) {
        guard let last = faults[id]?.at, now >= last + Self.faultInterval else { return }
        faults[id]?.at = now
        ask(for: id, now: now)
    }

    /// The schemas to look up, each returned once.
    mutating func takeQuestions() -> [SchemaID] {
        guard !questions.isEmpty else { return [] }
        defer { questions = [] }
        return questions
    }

    /// A look-up has not succeeded so far; true if it is the first of those that fail now.
    mutating func failed(_ id: SchemaID, _ detail: String) -> Bool {
        let wasFailing = isFailing
        // Nothing waits for one whose records are dropped.
        guard faults[id] == nil else { return false }
        open[id]?.detail = detail
        return !wasFailing && open[id] != nil
    }

    /// A look-up has ended.
    mutating func found(_ id: SchemaID, _ fault: SchemaFault?, now: Instant) -> [Notice] {
        let wait = open.removeValue(forKey: id)
        let wasUnknown = faults[id]?.fault == .unknown
        faults[id] = fault.map { ($0, now) }
        if fault == .unknown { return wasUnknown ? [] : [.schemaUnknown(id.description)] }
        return wait?.detail != nil && !isFailing ? [.schemasFound(id.description)] : []
    }

    /// Forgets whose records are dropped once there are too many.
    mutating func trim() {
        if faults.count > RecordDecoder.schemaLimit { faults = [:] }
    }
}

/// A schema that records wait for.
public struct SchemaWait: Equatable, Sendable {
    /// Its ID.
    public var schema: String
    /// The number of partitions that are paused for schemas.
    public var partitions = 1
    /// For how long it has been looked up.
    public var duration = Duration.zero
    /// Why that takes a while; nil while nothing has failed.
    public var detail: String?

    /// Describes a wait.
    public init(schema: String) { self.schema = schema }
}
