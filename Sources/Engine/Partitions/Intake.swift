internal import Configuration
internal import Delivery
internal import EventLoop

/// Owns what a worker reads: the assigned partitions and their progress, which of them flow, how
/// many of their records are open, what is committed, and which records wait before they are taken.
///
/// It knows nothing of pushes and apps: the engine passes what depends on them, and does what
/// follows. No other code names what it stores.
struct Intake: ~Copyable {
    /// Whether records are taken, and pushes sent.
    enum Phase: Equatable, Sendable {
        case running
        /// No new records are taken; records already begun are finished until then.
        case draining(until: Instant)
        /// Nothing is sent: the connections are closed.
        case closed
    }

    private(set) var phase = Phase.running

    var partitions = AssignedPartitions()
    var departed = DepartedPartitions()
    var flow = PartitionFlow()
    var pace: PollPace
    var commits: CommitPace
    /// Records in flight, and the waiting records outside of that window.
    var window: InFlightWindow
    var waitingWindow: InFlightWindow
    /// Whether the wall clock can be right.
    var clock = ClockWatch()

    /// Records that have arrived and are not taken.
    var held = HeldRecords()
    /// The first record of a partition that is taken alone.
    var sole = SoleRecord()
    /// The schemas that records wait for.
    var schemas: SchemaWaits

    let maxUncommitted: Int
    /// The most pushes of an app that wait to be sent while records are taken.
    let maxQueued: Int
    let hasRetryTopic: Bool

    init(_ settings: EngineSettings) {
        window = InFlightWindow(
            maxRecords: settings.maxInFlight, maxBytes: settings.maxInFlightBytes)
        waitingWindow = InFlightWindow(
            maxRecords: settings.maxWaiting, maxBytes: settings.maxWaitingBytes)
        pace = PollPace(takeInterval: settings.takeInterval)
        commits = CommitPace(
            budget: MetadataBudget(characters: settings.commitMetadata),
            maxUncommitted: settings.maxUncommitted)
        schemas = SchemaWaits(areNeeded: settings.schemaIDBytes != nil)
        maxUncommitted = settings.maxUncommitted
        maxQueued = settings.maxQueued
        hasRetryTopic = settings.results.retry != nil
    }

    /// Stops taking records: those already begun are finished until the deadline.
    mutating func drain(until deadline: Instant) {
        phase = .draining(until: deadline)
        pace.stop()
        leaveAllHeld()
    }

    /// Nothing is sent any more.
    mutating func close() { phase = .closed }
}

// MARK: What is known of partitions

extension Intake {
    /// The topic and partition of each assignment.
    func topicPartitions(_ ids: [AssignmentID]) -> [TopicPartition] {
        ids.compactMap { partitions[$0]?.topicPartition }
    }

    /// The assignments whose records may be taken.
    var owned: [AssignmentID] { partitions.filter { $0.state == .owned } }

    /// How many partitions of events are owned.
    var ownedEventPartitions: Int {
        partitions.indices.count {
            partitions[$0].state == .owned && partitions[$0].content == .events
        }
    }

    /// The topics of the assigned partitions of events.
    var eventTopics: Set<String> {
        Set(
            partitions.indices.filter { partitions[$0].content == .events }
                .map { partitions[$0].topicPartition.topic })
    }

    /// True for a partition that was not revoked and whose log was not replaced.
    func isOwned(_ id: AssignmentID) -> Bool { partitions[id]?.state == .owned }

    /// True for a partition whose log was replaced: its records cannot be read again.
    func isReplaced(_ id: AssignmentID) -> Bool {
        partitions.index(of: id).map { partitions[$0].state == .replaced } ?? false
    }

    /// True for a partition of which another reader can read what is not done.
    func canBeReadAgain(_ id: AssignmentID) -> Bool {
        partitions.index(of: id).map { partitions[$0].state != .replaced } ?? false
    }

    /// True when a partition was lost, or its last commit has begun: the next owner reads what is
    /// not done.
    func isLeftToNextOwner(_ id: AssignmentID) -> Bool {
        partitions.index(of: id).map { partitions[$0].isCommitting } ?? true
    }

    /// True when pushes of a partition that need not end soon may stay with this worker.
    func mayStay(_ id: AssignmentID) -> Bool {
        guard let index = partitions.index(of: id) else { return false }
        switch partitions[index].state {
        case .owned: return phase == .running
        case .replaced: return true
        case .revoking, .committing: return false
        }
    }

    /// True when a push of a partition may be sent at a moment; false when it is left to the next
    /// owner, or to the next start. `isFinishedHere` says that its record is finished all the same.
    func mayContinue(
        _ id: AssignmentID, at moment: Instant, isFinishedHere: Bool
    ) -> Bool {
        guard let index = partitions.index(of: id) else { return false }
        switch partitions[index].state {
        case .owned:
            if phase == .running { return true }
            guard let deadline = drainDeadline else { return false }
            return isFinishedHere && moment < deadline
        case .revoking(let deadline): return isFinishedHere && moment < deadline
        case .committing: return false
        case .replaced: return true
        }
    }

    /// True when a waiting push of a partition may be written to the retry topic. One that came
    /// from there and was not sent since stays in memory: otherwise it would just circulate.
    func mayMoveToRetryTopic(
        _ id: AssignmentID, wasSent: Bool, isFromRetryTopic: Bool, now: Instant
    ) -> Bool {
        guard hasRetryTopic, phase != .closed, let index = partitions.index(of: id) else {
            return false
        }
        switch partitions[index].state {
        case .owned where phase != .running: return wasSent
        case .owned: return wasSent || !isFromRetryTopic
        case .revoking(let deadline): return wasSent && now < deadline
        case .committing, .replaced: return false
        }
    }

    /// The memory of records that are held, in bytes.
    var heldBytes: Int { held.byteCount }

    /// The deadline of a drain; nil when the worker is not draining.
    var drainDeadline: Instant? {
        if case .draining(let deadline) = phase { return deadline }
        return nil
    }
}
