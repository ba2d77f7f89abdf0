internal import Delivery
internal import JSON
internal import TimeZones

/// Evaluates the plan for one record after another, in buffers that it retains.
///
/// Functions called for each record are `mutating` even if they change nothing: a method that only
/// borrows the evaluator would copy it.
struct Evaluator: ~Copyable {
    let plan: MappingPlan
    /// The block of the notification being produced.
    var block = 0
    var tape = JSONTape()
    /// True while the tape has a record's value already.
    var isRead = false
    /// Where the plan's paths lead from the root of this event.
    var locations: JSONPathNodes
    /// Strings that exist only while this record is mapped.
    var scratch: [UInt8] = []
    /// Buffer for composing fields and payloads.
    var output = ByteBuffer()
    /// A field's value while it is validated.
    var token: [UInt8] = []
    /// The same, case-folded.
    var folded: [UInt8] = []
    /// True after a value that does not begin like JSON.
    var isForeign = false
    /// The value that was refused last because it is not a valid time; empty if it says nothing.
    var refusedTime = ""
    /// The output of a transform before it is moved to `scratch`.
    var work: [UInt8] = []
    /// True when the payload that was composed last contains a text that devices display.
    var displaysText = false
    /// When the event of the push being produced happened, in milliseconds since 1970.
    var eventTime: Int64 = 0
    /// What the payload that was composed last does to a Live Activity, if the record determines
    /// that, and the time of its content in milliseconds since 1970.
    var activityEvent: ActivityEvents = []
    var activityTime: Int64 = 0
    /// The key of a `live_activity` that is being evaluated.
    var activityKey: ActivityKey?
    var zones = ZoneTable()
    /// How many more bytes may be transformed for this record; negative when it was too expensive.
    var workLeft = Mapper.workLimit
    /// The hole that was evaluated when it turned out to be too expensive; -1 for none.
    var expensiveHole: Int32 = -1
    /// The values of holes that are the same for each element of `for_each`.
    var shared: SharedValues

    var key = Metadata.absent
    var topic = Metadata.absent
    var headers: [Metadata]
    /// The CloudEvents attributes, in the order of the plan.
    var attributes: [Metadata]
    /// The node that paths and patterns start from; -1 when an event has no data.
    var root = 0
    /// The node of the record's whole value; -1 when it is not on the tape.
    var valueRoot = 0
    /// The node of the record's key; -1 when it is not on the tape.
    var keyRoot = -1
    /// The JSON text of the key.
    var keyText: [UInt8] = []
    /// The element of `for_each` being mapped, and its position in the list; -1 outside of one.
    var element = -1
    var position = -1
    /// An event that was a string in the value, or the data of a CloudEvent in Base64.
    var decoded: [UInt8] = []
    /// The value and such an event, while they become one text.
    var joined: [UInt8] = []
    /// The tape of a string that `parse` reads.
    var parsedTape = JSONTape()
    /// The texts that were cut for this record, if that is asked for.
    var cuts: [Cut] = []
    var notesCuts = false
    var timestamp: Int64?
    var partition: Int64 = 0
    var offset: Int64 = 0

    init(plan: MappingPlan) {
        self.plan = plan
        locations = JSONPathNodes(for: plan.paths)
        shared = SharedValues(count: plan.holes.count)
        headers = Array(repeating: .absent, count: plan.headers.count)
        attributes = Array(repeating: .absent, count: plan.attributes.count)
    }

    /// The fields of the block of the notification being produced.
    var fields: FieldPlan {
        _read { yield plan.blocks[block].fields }
    }

    /// Copies the metadata of the record that templates and patterns use.
    mutating func begin(_ record: borrowing Record) {
        if !scratch.isEmpty { scratch.removeAll(keepingCapacity: true) }
        workLeft = Mapper.workLimit
        expensiveHole = -1
        isForeign = false
        shared.forget()
        timestamp = WrittenTime.timestamp(record.timestamp)
        partition = Int64(record.topicPartition.partition)
        offset = record.offset
        if plan.usesTopic {
            let start = scratch.count
            scratch.append(contentsOf: record.topicPartition.topic.utf8)
            topic = .text(piece(from: start))
        }
        if plan.usesKey { takeKey(record) }
        if !headers.isEmpty { takeHeaders(record) }
    }

    private mutating func takeKey(_ record: borrowing Record) {
        key = .absent
        guard record.hasKey else { return }
        let start = scratch.count
        record.withKey { scratch.appendBytes($0) }
        key = scratch.isUTF8(from: start) ? .text(piece(from: start)) : .invalid
    }

    /// If a header occurs several times, the last one counts.
    private mutating func takeHeaders(_ record: borrowing Record) {
        for index in headers.indices { headers[index] = .absent }
        record.forEachHeader { name, value, isNull in
            for index in plan.headers.indices where plan.headers[index].matches(name) {
                let start = scratch.count
                scratch.appendBytes(value)
                if isNull {
                    headers[index] = .absent
                } else {
                    headers[index] =
                        scratch.isUTF8(from: start) ? .text(piece(from: start)) : .invalid
                }
            }
        }
    }

    /// The string from `start` to the end of the scratch buffer.
    func piece(from start: Int) -> TextPiece {
        TextPiece(isConstant: false, start: start, end: scratch.count)
    }

    /// The value of a hole, after its transforms.
    mutating func value(ofHole hole: Int32, in bytes: RawSpan) throws(MappingFault) -> Value {
        let compiled = plan.holes[Int(hole)]
        if compiled.lonePath >= 0 { return node(compiled.lonePath, in: bytes) }
        if compiled.isShared, element >= 0 {
            return try sharedValue(of: compiled, hole, in: bytes)
        }
        return try evaluate(compiled, hole, in: bytes)
    }

    /// The value of a hole's operands, after its transforms.
    mutating func evaluate(
        _ compiled: MappingPlan.Hole, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        var value = try first(of: compiled.operands, hole: hole, in: bytes)
        for index in compiled.transforms.start..<compiled.transforms.end {
            let transform = plan.transforms[Int(index)]
            if case .standIn(let operands) = transform {
                if case .absent = value {
                    value = try first(of: operands, hole: hole, in: bytes)
                }
            } else if case .absent = value {
                continue
            } else {
                value = try apply(transform, to: value, hole: hole, in: bytes)
                guard workLeft >= 0 else { throw tooExpensive(hole) }
            }
        }
        return value
    }

    /// The first operand that is present.
    mutating func first(
        of run: MappingPlan.Run, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        for index in run.start..<run.end {
            let value: Value
            switch plan.operands[Int(index)] {
            case .path(let path): value = node(path, in: bytes)
            case .everyElement(let array, let rest):
                guard case .node(let found) = node(array, in: bytes),
                    tape[found].kind == .array
                else { continue }
                spend(nodesIn: found)
                return .everyElement(array: found, rest: rest)
            case .lookUp(let number): value = try lookUp(Int(number), hole, in: bytes)
            case .text(let piece): return .text(constant(piece))
            case .number(let piece): return .number(constant(piece))
            case .boolean(let value): return .boolean(value)
            case .key: value = try read(key, hole)
            case .topic: value = try read(topic, hole)
            case .header(let index): value = try read(headers[Int(index)], hole)
            case .attribute(let index): value = try read(attributes[Int(index)], hole)
            case .timestamp: value = timestamp.map { .time($0) } ?? .absent
            case .partition: return .time(partition)
            case .offset: return .time(offset)
            }
            if case .absent = value { continue }
            return value
        }
        return .absent
    }

    private mutating func constant(_ piece: MappingPlan.Piece) -> TextPiece {
        TextPiece(isConstant: true, start: Int(piece.start), end: Int(piece.end))
    }

    /// The value at a path in the event; null counts as absent.
    mutating func node(_ path: Int32, in bytes: RawSpan) -> Value {
        guard let found = location(of: path, in: bytes), tape[found].kind != .null else {
            return .absent
        }
        return .node(found)
    }

    /// The node at a path in the event, even if it is null.
    mutating func location(of path: Int32, in bytes: RawSpan) -> Int? {
        guard root >= 0 || isOutsideEvent(path) else { return nil }
        return tape.find(Int(path), of: plan.paths, from: root, in: bytes, remembering: &locations)
    }

    /// True for a path into the record's value or key, which are there without an event, too.
    private mutating func isOutsideEvent(_ path: Int32) -> Bool {
        plan.isOfValue(path) || plan.isOfKey(path)
    }

    /// Begins to look up paths in the event that was read.
    mutating func enterEvent() {
        locations.forget()
        if plan.valueStart >= 0 {
            locations.enter(Int(plan.valueStart), at: valueRoot, forgetting: [])
        }
        if plan.keyStart >= 0 { locations.enter(Int(plan.keyStart), at: keyRoot, forgetting: []) }
    }

    /// The value at a path starting from a node; null counts as absent.
    mutating func node(_ path: Int32, from start: Int, in bytes: RawSpan) -> Value {
        guard let found = tape.find(Int(path), of: plan.paths, from: start, in: bytes),
            tape[found].kind != .null
        else { return .absent }
        return .node(found)
    }

    private mutating func read(_ metadata: Metadata, _ hole: Int32) throws(MappingFault) -> Value {
        switch metadata {
        case .absent: return .absent
        case .invalid: throw MappingFault(cause: .invalid(.encoding), hole: hole)
        case .text(let piece): return .text(piece)
        }
    }
}
