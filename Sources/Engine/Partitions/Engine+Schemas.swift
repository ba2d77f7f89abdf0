internal import Delivery
internal import EventLoop
package import Mapping

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

    /// True when values are not JSON.
    var areNeeded = false
    /// Records that have arrived and cannot be mapped yet.
    var held = Slab<RecordCopy>(capacity: 1)
    var heldCount = 0
    var open: [SchemaID: Open] = [:]
    /// Those to look up that nobody was told of.
    var questions: [SchemaID] = []
    /// When the registry last said of a schema that it does not know it.
    var unknownAt: [SchemaID: Instant] = [:]

    /// True while some look-up does not succeed.
    var isFailing: Bool { open.values.contains { $0.detail != nil } }
}

/// Looking up the schemas of records: a record whose schema is not known waits with its partition.
extension Engine {
    /// How often a schema that the registry did not know is looked up again, while its records are
    /// dropped.
    static var unknownSchemaInterval: Duration { .seconds(60) }

    /// Keeps a record until its schema is known; false for one that can be mapped, and none of its
    /// partition waits.
    mutating func awaitsSchema(_ record: borrowing Record, _ index: Int) -> Bool {
        let missing = mapping.value.missingSchema(of: record)
        guard missing != nil || !partitions[index].awaitingSchema.isEmpty else {
            lookUnknownUp(record)
            return false
        }
        if let missing { ask(for: missing) }
        let slot = schemas.held.insert(store.copy(record, adding: 0))
        schemas.heldCount += 1
        partitions[index].awaitingSchema.append(
            SchemaWaits.Held(slot: slot, schema: mapping.value.schemaID(of: record)))
        flow.pause(record.assignment, for: .schema)
        return true
    }

    private mutating func ask(for id: SchemaID) {
        guard schemas.open[id] == nil else { return }
        schemas.open[id] = SchemaWaits.Open(since: now)
        schemas.questions.append(id)
    }

    /// Asks now and then for a schema that the registry did not know; its records are dropped
    /// meanwhile.
    private mutating func lookUnknownUp(_ record: borrowing Record) {
        guard !schemas.unknownAt.isEmpty, let id = mapping.value.schemaID(of: record),
            let since = schemas.unknownAt[id], now >= since + Self.unknownSchemaInterval
        else { return }
        schemas.unknownAt[id] = now
        ask(for: id)
    }

    /// The schemas to look up, each returned once.
    package mutating func takeSchemaQuestions() -> [SchemaID] {
        guard !schemas.questions.isEmpty else { return [] }
        defer { schemas.questions = [] }
        return schemas.questions
    }

    /// A look-up has found something out.
    package mutating func lookedUp(_ id: SchemaID, _ result: SchemaResult) {
        let wasFailing = schemas.isFailing
        switch result {
        case .unavailable(let detail): noteFailure(id, detail, isUnknown: false, wasFailing)
        case .notYet(let detail): noteFailure(id, detail, isUnknown: true, wasFailing)
        case .found(let schema):
            let isUnknown = mapping.value.learn(id, schema)
            let wait = schemas.open.removeValue(forKey: id)
            let wasUnknown = schemas.unknownAt[id] != nil
            schemas.unknownAt[id] = isUnknown ? now : nil
            if isUnknown {
                if !wasUnknown { notices.append(.schemaUnknown(id.description)) }
            } else if wait?.detail != nil, !schemas.isFailing {
                notices.append(.schemasFound(id.description))
            }
            advanceSchemas()
        }
    }

    /// Takes the records whose schemas are known, in order.
    mutating func advanceSchemas() {
        guard schemas.heldCount > 0 else { return forgetSchemas() }
        for id in partitions.filter({ !$0.awaitingSchema.isEmpty }) {
            guard let index = partitions.index(of: id) else { continue }
            advance(index, id)
        }
    }

    private mutating func advance(_ index: Int, _ id: AssignmentID) {
        let isReplaced = partitions[index].state == .replaced
        while let next = partitions[index].awaitingSchema.first, window.room > 0,
            isReplaced || phase == .running, !flow.isPausedByOperator, !isClockInDoubt
        {
            if let schema = missingSchema(next, index) {
                ask(for: schema)
                break
            }
            takeFirstAwaiting(index)
        }
        guard partitions[index].awaitingSchema.isEmpty else { return }
        flow.resume(id, from: .schema)
        if isReplaced { removeIfFinished(index, id) }
    }

    /// What the record needs next: its value and its key may have a schema each.
    private mutating func missingSchema(_ held: SchemaWaits.Held, _ index: Int) -> SchemaID? {
        if let schema = held.schema, !mapping.value.knows(schema) { return schema }
        // Out of the storage and back, so that the mapping can look at it.
        let copy = schemas.held.remove(held.slot)
        let missing = copy.withRecord { mapping.value.missingSchema(of: $0) }
        partitions[index].awaitingSchema[0].slot = schemas.held.insert(copy)
        return missing
    }

    private mutating func takeFirstAwaiting(_ index: Int) {
        let copy = schemas.held.remove(partitions[index].awaitingSchema.removeFirst().slot)
        schemas.heldCount -= 1
        if partitions[index].state == .replaced {
            copy.withRecord { process($0, of: index) }
        } else {
            copy.withRecord { takeMappable($0, index) }
        }
        store.release(copy)
    }

    /// The worker ends: what waits and cannot be read again becomes a dead letter.
    mutating func takeAwaitingOfReplaced() {
        for id in partitions.filter({ $0.state == .replaced && !$0.awaitingSchema.isEmpty }) {
            guard let index = partitions.index(of: id) else { continue }
            while !partitions[index].awaitingSchema.isEmpty { takeFirstAwaiting(index) }
        }
    }

    /// A partition is no longer this worker's, or it stops: what waits is read again.
    mutating func forgetAwaiting(_ index: Int) {
        for held in partitions[index].awaitingSchema {
            store.release(schemas.held.remove(held.slot))
            schemas.heldCount -= 1
        }
        partitions[index].awaitingSchema = []
    }

    /// While no record waits, schemas may be forgotten: each is looked up again when it is needed.
    private mutating func forgetSchemas() {
        guard schemas.areNeeded, !sole.isActive else { return }
        mapping.value.trimSchemas()
        if schemas.unknownAt.count > RecordDecoder.schemaLimit { schemas.unknownAt = [:] }
    }
}

// MARK: The log

extension Engine {
    private mutating func noteFailure(
        _ id: SchemaID, _ detail: String, isUnknown: Bool, _ wasFailing: Bool
    ) {
        // Nothing waits for one whose records are dropped.
        guard schemas.unknownAt[id] == nil else { return }
        schemas.open[id]?.detail = detail
        guard !wasFailing, schemas.open[id] != nil else { return }
        notices.append(.awaitsSchema(id.description, detail, isUnknown: isUnknown))
    }
}

// MARK: Observation

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

extension Engine {
    /// The longest wait for a schema; nil when no record waits for one.
    var schemaWait: SchemaWait? {
        guard schemas.heldCount > 0 else { return nil }
        let oldest = schemas.open.min { $0.value.since < $1.value.since }
        guard let oldest else { return nil }
        var wait = SchemaWait(schema: oldest.key.description)
        wait.partitions = partitions.filter { !$0.awaitingSchema.isEmpty }.count
        wait.duration = oldest.value.since.duration(to: now)
        wait.detail = oldest.value.detail
        return wait
    }
}

extension RecordMapping {
    /// The schema that a record needs and that is not known; nil when it can be mapped.
    mutating func missingSchema(of record: borrowing Record) -> SchemaID? {
        mapper.decoder.missingSchema(of: record)
    }

    /// The schema of a record, if it has one.
    mutating func schemaID(of record: borrowing Record) -> SchemaID? {
        mapper.decoder.schemaID(of: record)
    }

    /// True for a schema that was looked up.
    mutating func knows(_ id: SchemaID) -> Bool { mapper.decoder.knows(id) }

    /// Remembers a schema; true for one that the registry does not know.
    mutating func learn(_ id: SchemaID, _ schema: KnownSchema) -> Bool {
        mapper.decoder.learn(id, schema)
        return mapper.decoder.isUnknown(id)
    }

    /// Forgets all schemas once there are too many.
    mutating func trimSchemas() { mapper.decoder.trim() }
}
