public import Delivery
internal import JSON

/// Turns records into notifications according to a plan; one per worker, with its own buffers.
///
/// The same record always yields the same notifications. Expiry is not evaluated here.
public struct Mapper: ~Copyable {
    /// The maximum size of an event in bytes.
    public static let eventLimit = 1 << 20
    /// The most device tokens in one record, over all of its notifications.
    public static let tokenLimit = 1000
    /// The most labels of a connector.
    public static let labelLimit = 16
    /// The most bytes of a label's value, as JSON writes them between quotation marks.
    public static let labelByteLimit = 64

    /// What makes JSON text of values that are not JSON.
    public var decoder = RecordDecoder()
    /// The JSON text of such a value.
    private var decodedValue = ByteBuffer()

    var evaluator: Evaluator
    var payloadCheck: PayloadCheck
    /// The tape of a payload that is not a part of the event, while it is checked or cut.
    var payloadTape = JSONTape()
    /// A device token while it is validated.
    var token: [UInt8] = []
    /// A string of several device tokens while it is split.
    var tokenText: [UInt8] = []
    var tokens = TokenTaking()
    var tokenIndex = TokenIndex()
    /// The payload of the elements of a `for_each` that all have the same one.
    var sharedPayload = SharedPayload()
    /// True to produce one dropped notification for each filtered record, so that it can be
    /// reported.
    public var reportsFiltered = false
    /// True to collect hints on how to fix drops, which costs memory and time for each drop.
    public var explains = false {
        didSet { evaluator.notesCuts = explains }
    }
    /// Hints on how to fix the drops of the last record, by their details, one string per line.
    public internal(set) var explanations: [String: [String]] = [:]
    /// The templates that used a fallback for the last record; empty unless ``explains`` is set.
    public internal(set) var fallbacks: [Fallback] = []
    /// The texts that were cut for the last record; empty unless ``explains`` is set.
    public var cuts: [Cut] { evaluator.cuts }
    /// Which conditions did not hold for the last record if it was skipped, one string per line.
    public internal(set) var filterExplanation: [String] = []
    /// The last record's values that conditions examine.
    var seenValues: [[String]: String] = [:]
    /// What the last record has where conditions look for members that are absent, by their paths.
    var absentNames: [[String]: [String]] = [:]
    /// The conditions that did not hold for the last record, if it was skipped.
    var brokenConditions: [LoneCondition] = []
    /// The paths of conditions that lead nowhere in the last record, which has nearly such names.
    var misspelled: Set<[String]> = []
    /// What the last record proves wrong in blocks that it does not match.
    var exampleRemarks: [ExampleFault] = []
    /// The labels that are null for the last record, by their names.
    var labelFaults: [String: Drop] = [:]
    /// The faults of this record to explain, by their description.
    var notedFaults: [String: NotedFault] = [:]

    /// The lists of `for_each` of which no element was accepted, in words.
    var emptyLists: [String] = []
    /// Which elements of lists have matched a block.
    var elementMarks = ElementMarks()
    /// The elements of `for_each` that match no block although others do, one string per list;
    /// empty unless ``explains`` is set.
    public internal(set) var unmatchedElements: [String] = []
    /// The only notification that is needed, by its index; nil for all of them.
    var onlyIndex: Int?

    /// Creates a mapper for `plan`.
    public init(plan: MappingPlan) {
        evaluator = Evaluator(plan: plan)
        decoder.encoding = plan.encoding
        decoder.keyFormat = plan.keyStart >= 0 ? plan.keyFormat : nil
        decoder.hasPlainValues = plan.encoding == nil && plan.keyFormat != nil
        payloadCheck = PayloadCheck()
    }

    /// Maps one record into `result`, which it clears first.
    ///
    /// `now` is in milliseconds since 1970 and is the event time if none is given. With an `index`,
    /// the other elements of a list of `for_each` may be left out.
    public mutating func map(
        _ record: borrowing Record, now: Int64, only index: Int? = nil,
        into result: inout MappedRecord
    ) {
        result.reset()
        onlyIndex = index
        if explains { forgetExplanations() }
        let time = WrittenTime.timestamp(record.timestamp) ?? now
        guard record.hasValue else {
            return refuseTombstone(record, time, into: &result)
        }
        evaluator.begin(record)
        do throws(EventFault) {
            try readKey(record)
        } catch {
            return refuse(error.reason, error.message, time, into: &result)
        }
        if decoder.decodesValues {
            mapDecoded(record, time: time, into: &result)
        } else {
            record.withValue { map($0, time: time, into: &result) }
            if evaluator.isForeign { nameSchema(of: record, in: &result) }
        }
        guard explains else { return }
        if result.isSkipped { explainFilter(record) } else { explainBlocks(record) }
    }

    /// Says which schema a value that is not JSON was written with, if a header names it.
    private mutating func nameSchema(
        of record: borrowing Record, in result: inout MappedRecord
    ) {
        guard result.count == 1, let schema = SchemaFrame.idInHeader(of: record) else { return }
        let message = "the value is not JSON: \(RegistryFrame.message(ofHeader: schema))"
        result.notifications[0].drop?.cause = evaluator.plan.prefix(nil) + message
        result.notifications[0].drop?.specifics = ""
    }

    /// Reads the key, if templates refer to something in it.
    private mutating func readKey(_ record: borrowing Record) throws(EventFault) {
        guard evaluator.plan.keyStart >= 0 else { return }
        guard record.hasKey else { return evaluator.takeNoKey() }
        guard decoder.decodesKeys else {
            return try record.withKey { key throws(EventFault) in
                try evaluator.take(key: key.extracting(RegistryFrame.end(in: key)...))
            }
        }
        var text = ByteBuffer()
        swap(&text, &decodedValue)
        defer { swap(&text, &decodedValue) }
        try decoder.decodeKey(record, into: &text)
        var fault: EventFault?
        text.withBytes { bytes in
            do throws(EventFault) {
                try evaluator.take(key: bytes)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    private mutating func mapDecoded(
        _ record: borrowing Record, time: Int64, into result: inout MappedRecord
    ) {
        var text = ByteBuffer()
        swap(&text, &decodedValue)
        do throws(EventFault) {
            evaluator.isRead = try decoder.decode(record, into: &text, &evaluator.tape)
            text.withBytes { map($0, time: time, into: &result) }
            evaluator.isRead = false
        } catch {
            refuse(error.reason, error.message, time, into: &result)
        }
        swap(&text, &decodedValue)
    }

    private mutating func map(_ value: RawSpan, time: Int64, into result: inout MappedRecord) {
        guard value.byteCount <= Self.eventLimit else {
            return refuse(
                .recordTooLarge, "the value has more than \(Self.eventLimit) bytes", time,
                specifics: ": \(value.byteCount)", into: &result)
        }
        do throws(EventFault) {
            switch try evaluator.readEvent(in: value) {
            case .value(let start): make(in: value.extracting(start...), time, into: &result)
            case .decoded:
                // Moved out and back, so that it can be read while the evaluator changes.
                var data: [UInt8] = []
                swap(&data, &evaluator.decoded)
                data.withBytes { make(in: $0, time, into: &result) }
                swap(&data, &evaluator.decoded)
            }
        } catch {
            refuse(
                error.reason, error.message, time, at: error.location, specifics: error.specifics,
                into: &result)
        }
    }

    /// True when the connector's `when` matches a record; false for one that contains no event.
    public mutating func matches(_ record: borrowing Record) -> Bool {
        guard record.hasValue else { return false }
        evaluator.begin(record)
        // No condition looks at the key.
        evaluator.takeNoKey()
        guard decoder.decodesValues else { return record.withValue { matches($0) } }
        var text = ByteBuffer()
        swap(&text, &decodedValue)
        defer { swap(&text, &decodedValue) }
        guard let isRead = try? decoder.decode(record, into: &text, &evaluator.tape) else {
            return false
        }
        evaluator.isRead = isRead
        defer { evaluator.isRead = false }
        return text.withBytes { matches($0) }
    }

    private mutating func matches(_ value: RawSpan) -> Bool {
        guard value.byteCount <= Self.eventLimit,
            let event = try? evaluator.readEvent(in: value)
        else { return false }
        evaluator.enterEvent()
        switch event {
        case .value(let start):
            return evaluator.matches(evaluator.plan.pattern, in: value.extracting(start...))
        case .decoded:
            var data: [UInt8] = []
            swap(&data, &evaluator.decoded)
            defer { swap(&data, &evaluator.decoded) }
            var isMatch = false
            data.withBytes { isMatch = evaluator.matches(evaluator.plan.pattern, in: $0) }
            return isMatch
        }
    }

    private mutating func make(in event: RawSpan, _ time: Int64, into result: inout MappedRecord) {
        evaluator.enterEvent()
        elementMarks.forget()
        if evaluator.matches(evaluator.plan.pattern, in: event) {
            if evaluator.root < 0, evaluator.plan.format == .jsonInside {
                return refuseAbsentEvent(in: event, time, into: &result)
            }
            makeNotifications(in: event, time: time, into: &result)
            if evaluator.isTooExpensive { refuseExpense(time, into: &result) }
            if !elementMarks.isComplete, onlyIndex == nil {
                filterElements(in: event, time, into: &result)
            }
        }
        result.isSkipped = result.count == 0
        if result.isSkipped, reportsFiltered {
            refuse(.filtered, "'when' did not match", time, into: &result)
            evaluator.block = 0
            takeLabels(ofSkipped: 0, in: event, into: &result)
        }
        if explains {
            explainFaults(in: event)
            findFallbacks(in: event)
        }
    }

    /// Produces the single notification of a record that cannot be read.
    private func refuse(
        _ reason: DropReason, _ message: String, _ time: Int64, at location: MappingLocation? = nil,
        specifics: String = "", into result: inout MappedRecord
    ) {
        let blocks = evaluator.plan.blocks
        let type = blocks.count == 1 ? blocks[0].fields.fixedPushType : nil
        let index = appendBare(time, type, into: &result)
        result.notifications[index].drop = Drop(
            reason, "\(evaluator.plan.prefix(location))\(message)", specifics: specifics)
    }

    /// Drops a record without a value, or filters it if `when` says so.
    private mutating func refuseTombstone(
        _ record: borrowing Record, _ time: Int64, into result: inout MappedRecord
    ) {
        evaluator.begin(record)
        guard evaluator.plan.filtersTombstones || !evaluator.matchesTombstone() else {
            return refuse(.tombstone, "the record's value is null", time, into: &result)
        }
        result.isSkipped = true
        if reportsFiltered {
            refuse(.filtered, "'when' skips records without a value", time, into: &result)
        }
        if explains { filterExplanation = ["the record's value is null"] }
    }

    /// Produces the single notification of a record whose mapping costs too much.
    private mutating func refuseExpense(_ time: Int64, into result: inout MappedRecord) {
        let plan = evaluator.plan
        let hole = Int(evaluator.expensiveHole)
        let origin = plan.holeOrigins.indices.contains(hole) ? plan.holeOrigins[hole] : nil
        let written = origin.map { "\($0.written): " } ?? ""
        result.reset()
        refuse(
            .tooExpensive, written + MappingFault.Reason.tooExpensive.message, time,
            at: origin?.location, into: &result)
    }

    /// Produces the single notification of a record that does not contain the event.
    private mutating func refuseAbsentEvent(
        in bytes: RawSpan, _ time: Int64, into result: inout MappedRecord
    ) {
        let event = evaluator.plan.event
        refuse(
            .missingField, "\(event.written) is absent", time, at: event.location, into: &result)
        guard explains, let detail = result.notifications[0].drop?.detail,
            let steps = event.steps.first
        else { return }
        let finder = MissingValue(steps: steps, field: "event")
        explanations[detail] = finder.explanation(
            from: 0, on: evaluator.tape, in: bytes, default: false)
    }

    /// Adds a notification of which nothing is known but its time and its push type, if that.
    func appendBare(_ time: Int64, _ type: PushType?, into result: inout MappedRecord) -> Int {
        let index = result.append()
        result.notifications[index].eventTime = time
        if evaluator.plan.apps.apps.isEmpty {
            result.notifications[index].bundleID.append(
                contentsOf: evaluator.plan.defaultBundleID)
        } else {
            result.notifications[index].app = -1
        }
        if let type { result.notifications[index].pushType = type }
        return index
    }

    private mutating func makeNotifications(
        in bytes: RawSpan, time: Int64, into result: inout MappedRecord
    ) {
        // With match: first, the elements of the first list choose their blocks one by one.
        var chosen: Int?
        for block in evaluator.plan.blocks.indices {
            if chosen != nil, evaluator.plan.blocks[block].elements == nil { continue }
            let pattern = evaluator.plan.blocks[block].pattern
            guard evaluator.matches(pattern, in: bytes) else { continue }
            guard !evaluator.isTooExpensive else { return }
            evaluator.block = block
            if let elements = evaluator.plan.blocks[block].elements {
                if let chosen, (try? evaluator.list(elements, in: bytes)) != chosen { continue }
                let list = makeElements(elements, in: bytes, time: time, into: &result)
                if evaluator.plan.matchesAll { continue }
                guard let list else { return }
                chosen = list
                continue
            }
            let first = result.appendToWriteOver()
            let isTimeStandIn = fill(&result.notifications[first], in: bytes, time: time)
            if isTimeStandIn, evaluator.timestamp == nil { result.isTimeUnknown = true }
            takeTokens(in: bytes, into: &result)
            guard evaluator.plan.matchesAll else { return }
        }
    }

    /// Records why labels of a notification are null.
    mutating func note(_ faults: [LabelFault], in notification: inout Notification) {
        notification.labelFault = evaluator.plan.message(for: faults)
        guard explains else { return }
        for fault in faults {
            let name = evaluator.plan.labelOrigins[fault.label].name
            let drop = evaluator.plan.drop(for: fault)
            guard labelFaults[name] == nil else { continue }
            labelFaults[name] = drop
            notedFaults[drop.detail] = NotedFault(
                fault: fault.fault, field: "labels", element: evaluator.element,
                block: evaluator.block)
        }
    }

    /// Records why a notification is dropped, unless there is an earlier reason.
    mutating func note(_ fault: MappingFault, field: String, in notification: inout Notification) {
        guard notification.drop == nil else { return }
        var drop = evaluator.plan.drop(for: fault, field: field, inBlock: evaluator.block)
        if case .invalid(let reason) = fault.cause, reason.isAboutTime {
            drop.specifics = evaluator.refusedTime
        }
        drop.specifics += elementMessage
        notification.drop = drop
        if explains {
            notedFaults[drop.detail] = NotedFault(
                fault: fault, field: field, element: evaluator.element, block: evaluator.block)
        }
    }
}
