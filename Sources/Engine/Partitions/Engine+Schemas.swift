internal import Delivery
internal import EventLoop
package import Mapping

/// Looking up the schemas of records: a record whose schema is not known waits with its partition.
extension Engine {
    /// Keeps a record until its schema is known; false for one that can be mapped, and none of its
    /// partition waits.
    mutating func awaitsSchema(_ record: borrowing Record, _ index: Int) -> Bool {
        let missing = mapping.value.missingSchema(of: record)
        guard missing != nil || !intake.isWithoutSchemaWait(index) else {
            if intake.hasSchemaFaults, let id = mapping.value.schemaID(of: record) {
                intake.askAgain(for: id, now: now)
            }
            return false
        }
        let schema = mapping.value.schemaID(of: record)
        intake.awaitSchema(record, schema: schema, missing: missing, index, now: now)
        return true
    }

    /// The schemas to look up, each returned once.
    package mutating func takeSchemaQuestions() -> [SchemaID] { intake.takeSchemaQuestions() }

    /// A look-up has found something out.
    package mutating func lookedUp(_ id: SchemaID, _ result: SchemaResult) {
        switch result {
        case .unavailable(let detail): note(intake.schemaFailed(id, detail, isUnknown: false))
        case .notYet(let detail): note(intake.schemaFailed(id, detail, isUnknown: true))
        case .found(let schema):
            mapping.value.learn(id, schema)
            note(intake.schemaFound(id, schema.fault, now: now))
            advanceSchemas()
        }
    }

    /// Takes the records whose schemas are known, in order.
    mutating func advanceSchemas() {
        for id in intake.awaitingSchemas { advance(id) }
        if intake.forgetSchemas() { mapping.value.trimSchemas() }
    }

    private mutating func advance(_ id: AssignmentID) {
        while let next = intake.nextAwaiting(id) {
            if let schema = next.schema, !mapping.value.knows(schema) {
                intake.ask(for: schema, now: now)
                break
            }
            // Its value and its key may have a schema each.
            guard let copy = intake.takeFirstAwaiting(id) else { break }
            if let missing = copy.withRecord({ mapping.value.missingSchema(of: $0) }) {
                intake.putBack(copy, schema: next.schema, missing: missing, of: id, now: now)
                break
            }
            take(copy, of: id)
        }
        intake.resumeWithSchemas(id)
    }

    /// Takes a record that has waited.
    private mutating func take(_ copy: consuming RecordCopy, of id: AssignmentID) {
        if let index = intake.index(of: id) {
            if intake.isReplaced(id) {
                copy.withRecord { process($0, of: index) }
            } else {
                copy.withRecord { takeMappable($0, index) }
            }
        }
        intake.release(copy)
    }

    /// The worker ends: what waits and cannot be read again becomes a dead letter.
    mutating func takeAwaitingOfReplaced() {
        for id in intake.replacedAwaitingSchemas {
            while let copy = intake.takeFirstAwaiting(id) { take(copy, of: id) }
        }
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

    /// Remembers a schema.
    mutating func learn(_ id: SchemaID, _ schema: KnownSchema) {
        mapper.decoder.learn(id, schema)
    }

    /// Forgets all schemas once there are too many.
    mutating func trimSchemas() { mapper.decoder.trim() }
}
