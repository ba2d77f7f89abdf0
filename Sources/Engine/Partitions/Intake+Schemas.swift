internal import Delivery
internal import Mapping

/// Records whose schemas are not known yet: they wait with their partitions.
extension Intake {
    /// True when records have schemas.
    var needsSchemas: Bool { schemas.areNeeded }

    /// True when no record of a partition waits for a schema.
    func isWithoutSchemaWait(_ index: Int) -> Bool { partitions[index].awaitingSchema.isEmpty }

    /// Keeps a record that has the schema `schema` until `missing` is known, and those before it
    /// are taken.
    mutating func awaitSchema(
        _ record: borrowing Record, schema: SchemaID?, missing: SchemaID?, _ index: Int,
        now: Instant
    ) {
        if let missing { schemas.ask(for: missing, now: now) }
        schemas.heldCount += 1
        partitions[index].awaitingSchema.append(
            SchemaWaits.Held(slot: held.add(record), schema: schema))
        flow.pause(record.assignment, for: .schema)
    }

    /// True when some schema is unknown or cannot be used.
    var hasSchemaFaults: Bool { schemas.hasFaults }

    /// A record with such a schema may have been taken.
    mutating func askAgain(for schema: SchemaID, now: Instant) {
        schemas.askAgain(for: schema, now: now)
    }

    /// The schemas to look up, each returned once.
    mutating func takeSchemaQuestions() -> [SchemaID] { schemas.takeQuestions() }

    /// A look-up has not succeeded so far.
    mutating func schemaFailed(_ id: SchemaID, _ detail: String, isUnknown: Bool) -> [Notice] {
        guard schemas.failed(id, detail), let partition = partitionAwaiting(id) else { return [] }
        return [.awaitsSchema(partition, id.description, detail, isUnknown: isUnknown)]
    }

    /// The first partition whose records wait for a schema.
    private func partitionAwaiting(_ id: SchemaID) -> TopicPartition? {
        let waiting = awaitingSchemas.compactMap { partitions.index(of: $0) }
        let index = waiting.first { partitions[$0].awaitingSchema.first?.schema == id }
        return (index ?? waiting.first).map { partitions[$0].topicPartition }
    }

    /// A look-up has ended.
    mutating func schemaFound(_ id: SchemaID, _ fault: SchemaFault?, now: Instant) -> [Notice] {
        schemas.found(id, fault, now: now)
    }

    /// The partitions of which records wait for schemas.
    var awaitingSchemas: [AssignmentID] {
        schemas.heldCount == 0 ? [] : partitions.filter { !$0.awaitingSchema.isEmpty }
    }

    /// The first record of a partition that waits for a schema and could be taken otherwise.
    func nextAwaiting(_ id: AssignmentID) -> SchemaWaits.Held? {
        guard let index = partitions.index(of: id), window.room > 0,
            partitions[index].state == .replaced || phase == .running,
            !flow.isPausedByOperator, !clock.isInDoubt
        else { return nil }
        return partitions[index].awaitingSchema.first
    }

    /// Takes the first record of a partition that waits, to be put back or released.
    mutating func takeFirstAwaiting(_ id: AssignmentID) -> RecordCopy? {
        guard let index = partitions.index(of: id), !partitions[index].awaitingSchema.isEmpty
        else { return nil }
        schemas.heldCount -= 1
        return held.take(partitions[index].awaitingSchema.removeFirst().slot)
    }

    /// The first record of a partition needs a schema that is missing, and waits on.
    mutating func putBack(
        _ copy: consuming RecordCopy, schema: SchemaID?, missing: SchemaID, of id: AssignmentID,
        now: Instant
    ) {
        guard let index = partitions.index(of: id) else { return held.release(copy) }
        schemas.ask(for: missing, now: now)
        schemas.heldCount += 1
        partitions[index].awaitingSchema.insert(
            SchemaWaits.Held(slot: held.put(copy), schema: schema), at: 0)
    }

    /// The first record of a partition waits for a schema that nobody knows yet.
    mutating func ask(for schema: SchemaID, now: Instant) { schemas.ask(for: schema, now: now) }

    /// Resumes a partition of which no record waits any more.
    mutating func resumeWithSchemas(_ id: AssignmentID) {
        guard let index = partitions.index(of: id), partitions[index].awaitingSchema.isEmpty
        else { return }
        flow.resume(id, from: .schema)
        if partitions[index].state == .replaced { removeIfFinished(id) }
    }

    /// The replaced logs of which records wait for schemas.
    var replacedAwaitingSchemas: [AssignmentID] {
        partitions.filter { $0.state == .replaced && !$0.awaitingSchema.isEmpty }
    }

    /// Forgets the waiting records of a partition that this worker gives up: its next reader reads
    /// them again.
    mutating func forgetAwaiting(_ index: Int) {
        for waiting in partitions[index].awaitingSchema {
            held.drop(waiting.slot)
            schemas.heldCount -= 1
        }
        partitions[index].awaitingSchema = []
    }

    /// Forgets which schemas are unknown, if there are too many; false while a record waits, when
    /// schemas may not be forgotten. Each is looked up again when it is needed.
    mutating func forgetSchemas() -> Bool {
        guard schemas.areNeeded, schemas.heldCount == 0, !sole.isActive else { return false }
        schemas.trim()
        return true
    }

    /// The longest wait for a schema; nil when no record waits for one.
    func schemaWait(now: Instant) -> SchemaWait? {
        guard schemas.heldCount > 0,
            let oldest = schemas.open.min(by: { $0.value.since < $1.value.since })
        else { return nil }
        var wait = SchemaWait(schema: oldest.key.description)
        wait.partitions = awaitingSchemas.count
        wait.duration = oldest.value.since.duration(to: now)
        wait.detail = oldest.value.detail
        return wait
    }
}
