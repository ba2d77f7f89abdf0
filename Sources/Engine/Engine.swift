package import APNs
internal import Configuration
package import Delivery
internal import Encoding
internal import EventLoop
package import Mapping
internal import Tracing

/// Decides about every push: it contains all of a worker's state and every rule about it. It
/// does no I/O and reads no clock.
///
/// The worker reports events (records, responses, acknowledgements, revocations, the time) and
/// carries out commands: what to send, what to publish, what to commit, which partitions to pause.
///
/// Its state has owners, each in a folder of its own: ``Intake`` what is read, ``Sending`` what is
/// sent when, ``Waiting`` what is done later, ``Outbox`` what Kafka is owed, ``Devices`` and
/// ``SentPushes`` what is remembered of them, ``Backlog`` which of them newer ones replace.
/// ``PushTable`` contains the pushes, whose life is in `PushLife.swift`. The engine passes events
/// between them, and counts and notes what they say.
///
/// The owners are in cells: what the compiler does for each function that changes the engine grows
/// with the fields that lie in the engine itself.
package struct Engine: ~Copyable {
    private let settingsCell: Cell<EngineSettings>
    /// The monotonic time of this turn.
    package internal(set) var now = Instant.distantPast
    /// The wall clock of this turn, in milliseconds since 1970.
    package internal(set) var wallClock: Int64 = 0

    let pushesCell: Cell<PushTable>
    let intakeCell: Cell<Intake>
    let sendingCell: Cell<Sending>
    let waitingCell: Cell<Waiting>
    let outboxCell: Cell<Outbox>
    private let resultsCell: Cell<ResultWriter>
    let devicesCell: Cell<Devices>
    let sentPushesCell: Cell<SentPushes>
    let backlogCell: Cell<Backlog>

    /// Maps records, in memory of its own.
    let mapping: Cell<RecordMapping>
    let outgoing = Cell(OutgoingPush())
    /// The bundle identifier of each app, as bytes.
    let bundleIDs: [[UInt8]]

    private let countersCell = Cell(EngineCounters())
    /// Pushes by outcome, and their latencies.
    package internal(set) var figures: PushFigures
    let labelReader: Cell<LabelReader>
    /// True when some pushes may be traced.
    package let isTracing: Bool
    /// What makes spans of pushes; nil when nothing is traced.
    var tracer: Tracer?
    private let noticesCell = Cell([Notice]())
    /// The kinds of unexpected responses that have been logged.
    var unexpectedResponses: [String] = []

    /// An engine without partitions or pushes; `seed` determines its jitter.
    package init(settings: EngineSettings, plan: MappingPlan, seed: UInt64) {
        settingsCell = Cell(settings)
        var mapper = Mapper(plan: plan)
        mapper.decoder.idBytes = settings.schemaIDBytes
        mapper.reportsFiltered = settings.results.reportsFiltered
        mapping = Cell(RecordMapping(mapper: mapper))
        let bundleIDsOfApps = settings.apps.map { [UInt8]($0.bundleID.utf8) }
        bundleIDs = bundleIDsOfApps + bundleIDsOfApps
        pushesCell = Cell(PushTable(capacity: settings.maxInFlight))
        intakeCell = Cell(Intake(settings))
        var sending = Sending(settings)
        if plan.hasBroadcasts { _ = sending.addBroadcasts(settings) }
        sendingCell = Cell(sending)
        waitingCell = Cell(Waiting(settings, seed: seed))
        outboxCell = Cell(Outbox(settings))
        resultsCell = Cell(ResultWriter(settings, bundleIDs))
        devicesCell = Cell(Devices(rate: settings.rate.perDevice.map { RateLimit($0) }))
        let mattersWhatWasSent = settings.inDoubt == .collapse || settings.supersede != .none
        sentPushesCell = Cell(SentPushes(isUsed: mattersWhatWasSent))
        backlogCell = Cell(Backlog(isUsed: settings.supersede == .backlog))
        figures = PushFigures(apps: settings.apps.count, labels: settings.metricLabels)
        labelReader = Cell(LabelReader(names: settings.metricLabels))
        isTracing = settings.sampler != nil
        tracer = settings.sampler.map { sampler in
            // Of its own, so that tracing changes nothing about retries.
            Tracer(sampler: sampler, ids: SeededGenerator(seed: SeededGenerator.mix(seed)))
        }
    }
}

// MARK: What it contains

extension Engine {
    /// The connector's settings.
    package internal(set) var settings: EngineSettings {
        @inline(__always) _read { yield settingsCell.value }
        @inline(__always) nonmutating _modify { yield &settingsCell.value }
    }
    /// The pushes that are not done, and their records.
    var pushes: PushTable {
        @inline(__always) _read { yield pushesCell.value }
        @inline(__always) nonmutating _modify { yield &pushesCell.value }
    }
    /// What is read, and how far it is done.
    var intake: Intake {
        @inline(__always) _read { yield intakeCell.value }
        @inline(__always) nonmutating _modify { yield &intakeCell.value }
    }
    /// What is sent when.
    var sending: Sending {
        @inline(__always) _read { yield sendingCell.value }
        @inline(__always) nonmutating _modify { yield &sendingCell.value }
    }
    /// What is done later.
    var waiting: Waiting {
        @inline(__always) _read { yield waitingCell.value }
        @inline(__always) nonmutating _modify { yield &waitingCell.value }
    }
    /// The result records that Kafka is owed.
    var outbox: Outbox {
        @inline(__always) _read { yield outboxCell.value }
        @inline(__always) nonmutating _modify { yield &outboxCell.value }
    }
    /// Writes result records.
    var results: ResultWriter {
        @inline(__always) _read { yield resultsCell.value }
        @inline(__always) nonmutating _modify { yield &resultsCell.value }
    }
    /// What is known of single devices.
    var devices: Devices {
        @inline(__always) _read { yield devicesCell.value }
        @inline(__always) nonmutating _modify { yield &devicesCell.value }
    }
    /// Which pushes were sent.
    var sentPushes: SentPushes {
        @inline(__always) _read { yield sentPushesCell.value }
        @inline(__always) nonmutating _modify { yield &sentPushesCell.value }
    }
    /// Which buffered pushes newer ones replace.
    var backlog: Backlog {
        @inline(__always) _read { yield backlogCell.value }
        @inline(__always) nonmutating _modify { yield &backlogCell.value }
    }
    /// Totals since the start.
    package internal(set) var counters: EngineCounters {
        @inline(__always) _read { yield countersCell.value }
        @inline(__always) nonmutating _modify { yield &countersCell.value }
    }
    /// Messages for the log, in order.
    var notices: [Notice] {
        @inline(__always) _read { yield noticesCell.value }
        @inline(__always) nonmutating _modify { yield &noticesCell.value }
    }
    /// What the last record became.
    var mapped: MappedRecord {
        @inline(__always) _read { yield mapping.value.mapped }
        @inline(__always) nonmutating _modify { yield &mapping.value.mapped }
    }
}

// MARK: The turn

extension Engine {
    /// Sets the time of this turn; the wall clock is in milliseconds since 1970.
    package mutating func setTime(_ now: Instant, wallClock: Int64) {
        self.now = now
        self.wallClock = wallClock
    }

    /// The next moment at which ``doDueWork()`` has something to do; nil when nothing is timed.
    package var nextDeadline: Instant? {
        guard !waiting.isAbandoning else { return now }
        var next = pushes.count > 0 ? waiting.sweepDue : .distantFuture
        if let retry = waiting.nextDue { next = min(next, retry) }
        if let refused = outbox.nextOffer { next = min(next, refused) }
        if let look = outbox.nextLook { next = min(next, look) }
        if let deadline = sending.deadline(now: now) { next = min(next, deadline) }
        if let end = intake.nextDue { next = min(next, end) }
        if let proof = intake.nextClockProof { next = min(next, proof) }
        return next == .distantFuture ? nil : next
    }

    /// Logs what an owner has found out, and counts it.
    mutating func note(_ found: [Notice]) {
        for notice in found {
            switch notice {
            case .positionReset(_, let reset):
                counters.add(\.positionResets)
                counters.add(\.recordsGone, Int(reset.gone ?? 0))
            case .takenOneAtATime: counters.add(\.crashedStarts)
            default: break
            }
            notices.append(notice)
        }
    }

    /// Returns the messages for the log, and removes them.
    package mutating func takeNotices() -> [Notice] {
        guard !notices.isEmpty else { return [] }
        defer { notices = [] }
        return notices
    }
}

// MARK: The log

extension Engine {
    /// Sets what is reported about single pushes from now on.
    package mutating func setLogDetail(_ detail: EngineSettings.LogDetail) {
        settings.logDetail = detail
    }
}

// MARK: References that come back

extension Engine {
    /// Validates the reference of a response or an acknowledgement: nil for a late one, which is
    /// counted. No other code decides this.
    mutating func current(_ id: PushID) -> PushID? {
        guard !pushes.isCurrent(id) else { return id }
        counters.add(\.lateReferences)
        return nil
    }
}

// MARK: Observation

extension Engine {
    /// The number of records taken and not done, with those held that cannot be read again.
    package var openRecords: Int { pushes.recordCount + intake.heldOfReplaced }
    /// The number of records waiting outside the window.
    package var waitingRecords: Int { intake.waitingRecords }
    /// The number of records in flight.
    package var recordsInFlight: Int { intake.recordsInFlight }
    /// The size of all open records in bytes.
    package var openBytes: Int { intake.openBytes }
    /// The memory of all copies of records in bytes.
    package var storedBytes: Int { pushes.recordBytes + intake.heldBytes }
    /// The number of pushes that are not done.
    package var openPushes: Int { pushes.count }
    /// True when nothing is sent because the connections are closed.
    package var isClosed: Bool { intake.phase == .closed }
    /// True when a fault suspends sending for any app.
    package var isAnyAppSuspended: Bool { sending.isAnySuspended }
}

// MARK: Stopping

extension Engine {
    /// Stops taking records. Whatever is in flight is finished, and so are records already begun.
    package mutating func drain(until deadline: Instant) {
        intake.drain(until: deadline)
        abandonIdle(nil, until: deadline)
    }

    /// The connections are closed. Waiting pushes are left to the next reader of their records, if
    /// there can be one.
    package mutating func close() {
        takeAwaitingOfReplaced()
        takeHeldOfReplaced(all: true)
        intake.close()
        abandonIdle(nil)
        waiting.abandonWithoutLimit()
        abandonMore()
        endWhatCannotBeLeft()
    }

    /// The deadline of a drain; nil when the engine is not draining.
    package var drainDeadline: Instant? { intake.drainDeadline }
}

// MARK: Credentials

extension Engine {
    /// APNs has accepted a new credential for the apps of a route.
    package mutating func credentialAdopted(
        _ credential: APNsCredential?, _ version: CredentialVersion, route: Int
    ) {
        if let credential { settings.use(credential, onRoute: route) }
        sending.adopt(version, route: route)
    }
}
