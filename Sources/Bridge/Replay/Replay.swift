public import Configuration
public import Delivery
internal import Engine
internal import Kafka
internal import Mapping

/// Reads a connector's dead letters and writes their events to a topic, so that they are sent
/// again.
///
/// A group of its own records which dead letters are settled: the committed offset and, in its
/// metadata, those above it, as a worker does for records. A replay that was interrupted continues
/// there; dead letters that a selection left out remain for the next one.
public struct Replay: ~Copyable {
    /// What was done so far.
    public private(set) var totals = ReplayTotals()
    /// The number of dead letters between the start and the end.
    public let total: Int64
    /// The number of them read, including those that were settled before.
    public private(set) var position: Int64 = 0

    private let connector: Connector
    private let selection: ReplaySelection
    private let topic: String
    private let isDry: Bool
    private var reader: PartitionReader
    private let offsets: GroupOffsets
    private var writer: RecordWriter
    private var trackers: [TopicPartition: OffsetTracker]
    private var committed: [CommittedOffset]
    private var condition: Mapper?
    private var mapper: Mapper

    /// The group that records what was replayed.
    public static func group(of connector: Connector) -> String {
        "\(connector.source.group)-replay"
    }

    /// Determines where to continue. It ends where the topic of dead letters ends now.
    public init(
        _ connector: Connector, _ selection: ReplaySelection, to topic: String, isDry: Bool
    ) throws(KafkaFailure) {
        let properties = KafkaProperties(connector.kafka)
        var reader = try PartitionReader(properties: properties)
        var spans = try reader.logs(of: [connector.results.deadLetter])
        let offsets = try GroupOffsets(properties: properties, group: Self.group(of: connector))
        let committed = try offsets.read(spans.map(\.partition))
        var trackers: [TopicPartition: OffsetTracker] = [:]
        for (index, place) in committed.enumerated() {
            var known = CompletedOffsets()
            var next = place.next
            if let start = next, start <= spans[index].end {
                known = CompletedOffsets(text: place.metadata, from: start)
                spans[index].start = max(start, spans[index].start)
            } else {
                next = nil
            }
            trackers[place.topicPartition] = OffsetTracker(committed: next, known: known)
        }
        try reader.begin(spans)
        writer = try RecordWriter(properties: properties)
        self.reader = reader
        self.offsets = offsets
        self.committed = committed
        self.trackers = trackers
        total = spans.reduce(0) { $0 + $1.end - $1.start }
        condition = selection.condition.map { Mapper(plan: $0) }
        mapper = Mapper(plan: connector.plan)
        self.connector = connector
        self.selection = selection
        self.topic = topic
        self.isDry = isDry
    }

    /// Reads on, and writes at most `limit` records; false once the end is reached. `now` is in
    /// milliseconds since 1970.
    public mutating func step(
        atMost limit: Int, now: Int64
    ) throws(ReplayInterruption) -> Bool {
        do throws(KafkaFailure) {
            var letters: [(TopicPartition, StoredRecord)] = []
            let isGoingOn = try reader.read(atMost: limit) { letters.append(($0, $1)) }
            var settled: [(TopicPartition, Int64)] = []
            for (partition, stored) in letters {
                position += 1
                guard trackers[partition]?.begin(stored.offset) == true else { continue }
                if try take(stored, now: now) { settled.append((partition, stored.offset)) }
            }
            guard !isDry else { return isGoingOn }
            try writer.flush()
            for (partition, offset) in settled { trackers[partition]?.complete(offset) }
            return isGoingOn
        } catch {
            throw .kafka(error)
        }
    }

    /// Replays a dead letter if it is selected; true when it is settled.
    private mutating func take(_ stored: StoredRecord, now: Int64) throws(KafkaFailure) -> Bool {
        let letter = StoredDeadLetter(headers: stored.headers)
        var decision = selection.decision(
            letter, timestamp: stored.timestamp, of: connector.name)
        if decision == .replay, let letter {
            let event = Record.owning(
                assignment: AssignmentID(1), topicPartition: letter.origin.topicPartition,
                offset: letter.origin.offset, timestamp: letter.origin.timestamp, key: stored.key,
                value: stored.value, headers: stored.headers)
            if condition?.matches(event) == false {
                decision = .passedOver
            } else if isDry {
                if isExpired(event, letter.index, now: now) { totals.expired += 1 }
            } else {
                try writer.write(
                    topic, key: stored.key, value: stored.value, headers: letter.headersOfReplay)
            }
        }
        totals.count(decision)
        return decision.isFinal
    }

    private mutating func isExpired(
        _ event: borrowing Record, _ index: Int, now: Int64
    ) -> Bool {
        var mapped = MappedRecord()
        mapper.map(event, now: now, only: index, into: &mapped)
        return mapped.notifications[..<mapped.count].contains {
            $0.index == index && $0.drop == nil && $0.isExpired(at: now)
        }
    }

    /// Commits what is settled; refuses when someone else has committed since.
    public mutating func commit() throws(ReplayInterruption) {
        guard !isDry else { return }
        guard try committedNow() == committed else { throw .anotherReplay }
        for index in committed.indices {
            guard let tracker = trackers[committed[index].topicPartition],
                let next = tracker.next
            else { continue }
            committed[index].next = next
            committed[index].metadata = tracker.completed.text(from: next)
        }
        do throws(KafkaFailure) {
            try offsets.commit(committed.filter { $0.next != nil })
        } catch {
            throw .kafka(error)
        }
        let isWhole = committed.allSatisfy { place in
            guard let next = place.next else { return true }
            return CompletedOffsets(text: place.metadata, from: next)
                == trackers[place.topicPartition]?.completed
        }
        if !isWhole { throw .tooManyPassedOver }
    }

    private func committedNow() throws(ReplayInterruption) -> [CommittedOffset] {
        do throws(KafkaFailure) {
            return try offsets.read(committed.map(\.topicPartition))
        } catch {
            throw .kafka(error)
        }
    }
}
