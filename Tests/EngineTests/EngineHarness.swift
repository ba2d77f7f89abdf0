import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Mapping
import TLS
import Testing

@testable import Engine

/// An engine whose surroundings are played by a test.
final class EngineHarness {
    /// A result record that was handed to Kafka and is not acknowledged yet.
    struct Published {
        var ticket: Ticket
        var record: ResultRecord
        var value: String { record.value.map { String(decoding: $0, as: UTF8.self) } ?? "null" }
        var key: String? { record.key.map { String(decoding: $0, as: UTF8.self) } }

        /// The last header of that name, as a string.
        func header(_ name: String) -> String? {
            record.headers.last { $0.name == name }?.value
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    static let start: Int64 = 1_767_261_600_000  // 2026-01-01T10:00:00Z
    /// What a commit says of the log above whose offset a record was finished.
    /// The first partition of its topic.
    static let orders = TopicPartition(topic: "shop.orders", partition: 0)
    static let mark = LogMark(time: start - 5000).text
    var engine: Engine
    /// False while other workers of the process have something in flight.
    var areOthersQuiet = true
    private var nextAssignment = 0
    /// Commits whose result the engine does not know yet.
    private var commitsInFlight: [OffsetCommit] = []

    init(
        orderedByDevice: Bool = false, plan: MappingPlan? = nil,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws {
        let plan = try plan ?? Samples.canonicalPlan()
        var settings = try Samples.settings(plan: plan)
        if orderedByDevice { settings.ordering = .device }
        tweak(&settings)
        engine = Engine(settings: settings, plan: plan, seed: 1)
        engine.setTime(Instant(nanoseconds: 1_000_000_000), wallClock: Self.start)
    }

    // MARK: Kafka

    /// Assigns the worker one partition.
    @discardableResult
    func assign(
        _ partition: Int32 = 0, committed: Int64? = nil, metadata: String = "",
        countsStart: Bool = false, tweak: (inout AssignedPartition) -> Void = { _ in }
    ) -> AssignmentID {
        let id = AssignmentID(nextAssignment)
        nextAssignment += 1
        var assigned = AssignedPartition(
            id: id, topicPartition: TopicPartition(topic: "shop.orders", partition: partition),
            committed: committed, metadata: metadata)
        tweak(&assigned)
        engine.assigned([assigned])
        if !countsStart { countStart(id) }
        return id
    }

    /// Kafka has the commit that counts a start, so that records are taken at once.
    private func countStart(_ id: AssignmentID) {
        guard let index = engine.intakeCell.value.partitions.index(of: id),
            engine.intakeCell.value.partitions[index].watch.isWatched,
            !engine.intakeCell.value.partitions[index].watch.needsToBeAlone
        else { return }
        engine.intakeCell.value.partitions[index].watch.count(now: engine.now)
        let starts = engine.intakeCell.value.partitions[index].watch.starts
        engine.intakeCell.value.partitions[index].watch.stored(StartMark(starts: starts))
    }

    /// Replaces the log behind an assignment; returns the assignment of the new one.
    func replace(_ old: AssignmentID, _ reset: PositionReset) -> AssignmentID {
        let id = AssignmentID(nextAssignment)
        nextAssignment += 1
        engine.replaced(
            old,
            by: AssignedPartition(
                id: id, topicPartition: TopicPartition(topic: "shop.orders", partition: 0),
                committed: reset.to, metadata: "", reset: reset))
        return id
    }

    /// Hands the worker a record.
    func take(
        _ value: String?, offset: Int64, of id: AssignmentID = AssignmentID(0), key: String? = nil,
        headers: [ResultRecord.Header] = [], partition: Int32 = 0,
        timestamp: Int64 = EngineHarness.start - 5000, appended: AppendTime? = nil
    ) {
        engine.take(
            Record.owning(
                assignment: id,
                topicPartition: TopicPartition(topic: "shop.orders", partition: partition),
                offset: offset, timestamp: timestamp, key: key.map { Array($0.utf8) },
                value: value.map { Array($0.utf8) }, headers: headers, appended: appended))
    }

    /// Hands the worker an event for a device.
    func push(
        _ token: String = "ab01", offset: Int64, of id: AssignmentID = AssignmentID(0),
        more: String = ""
    ) {
        take(Samples.event(token, more: more), offset: offset, of: id)
    }

    // MARK: APNs

    /// The next push that may be sent; nil if there is none.
    func nextToSend() -> PushID? {
        engine.settleHeads()
        return engine.nextToSend()
    }

    /// Sends the next push; nil if there is none to send.
    @discardableResult
    func send() -> PushID? {
        guard let id = nextToSend() else { return nil }
        engine.sent(id)
        return id
    }

    /// Sends every push that may be sent, and returns them.
    @discardableResult
    func sendAll() -> [PushID] {
        var sent: [PushID] = []
        while sent.count < 10_000, let id = send() { sent.append(id) }
        return sent
    }

    /// What a connection sends for a push.
    func prepared(_ id: PushID) -> Notification {
        engine.withNotification(of: id) { notification, _ in copy notification }
    }

    func token(_ id: PushID) -> String {
        String(decoding: prepared(id).destination.identifier, as: UTF8.self)
    }

    func apnsID(_ id: PushID) -> NotificationID {
        engine.withNotification(of: id) { _, apnsID in apnsID }
    }

    var wantsToBeAlone: Bool { engine.wantsToBeAlone }
    func assignment(of id: PushID) -> AssignmentID { engine.pushesCell.value.assignment(of: id) }
    func offset(_ id: PushID) -> Int64 {
        engine.pushesCell.value[recordOf: id].stored.origin.offset
    }

    var openRecords: Int { engine.openRecords }
    var recordsInFlight: Int { engine.recordsInFlight }
    var waitingRecords: Int { engine.waitingRecords }
    var isAnyAppSuspended: Bool { engine.isAnyAppSuspended }
    var isFirstAppSuspended: Bool { engine.sendingCell.value.isSuspended(AppID(0)) }
    var isDirty: Bool { engine.intakeCell.value.commits.isDirty }
    var now: Instant { engine.now }
    var shouldCommit: Bool { engine.shouldCommit }
    var nextCommit: Instant? { engine.nextCommit }
    /// The maximum number of characters of metadata in a commit.
    var budget: Int { engine.intakeCell.value.commits.budget.characters }
    /// When the next waiting push is due.
    var nextRetry: Instant? { engine.waitingCell.value.nextDue }
    var nextDeadline: Instant? { engine.nextDeadline }
    var owned: [AssignmentID] { engine.owned }

    /// What is safe to commit now.
    func takeCommits() -> [OffsetCommit] {
        let commits = engine.takeCommits()
        commitsInFlight += commits
        return commits
    }

    /// Reports the result of commits.
    func committed(_ report: CommitReport) {
        commitsInFlight.removeAll { report.commits.contains($0) }
        engine.committed(report)
    }

    /// What to do about revoked partitions, with all commits ended or with one in flight.
    func handover(commitsAreDone areDone: Bool) -> Engine.Handover? {
        if areDone {
            let done = commitsInFlight
            commitsInFlight = []
            if !done.isEmpty { engine.committed(CommitReport(commits: done, failure: nil)) }
            engine.intakeCell.value.commits.ended(engine.intakeCell.value.commits.inFlight)
        } else if engine.intakeCell.value.commits.areDone {
            engine.intakeCell.value.commits.started(1, now: engine.now)
        }
        let handover = engine.takeHandover()
        if case .commit(let commits) = handover { commitsInFlight += commits }
        return handover
    }

    /// Which partitions the source is to pause and to resume.
    func flowChange() -> FlowChange? { engine.takeFlowChange() }

    func respond(
        _ id: PushID, _ status: Int, _ reason: String = "", timestamp: Int64? = nil,
        retryAfter: Int? = nil
    ) {
        let response = APNsResponse(
            status: status, reason: reason, timestamp: timestamp, retryAfter: retryAfter)
        engine.responded(id, response)
    }

    /// Sends the next push and lets APNs respond to it.
    func sendAndRespond(_ status: Int, _ reason: String = "", timestamp: Int64? = nil) throws {
        respond(try #require(send()), status, reason, timestamp: timestamp)
    }

    // MARK: Results

    /// Publishes every result record that is due.
    func publish() -> [Published] {
        var published: [Published] = []
        while published.count < 10_000, let ticket = engine.writeNextResult() {
            let record = engine.withResult { copy $0 }
            published.append(Published(ticket: ticket, record: record))
            engine.published(ticket)
        }
        return published
    }

    func store(_ published: [Published]) {
        for one in published { engine.acknowledged(one.ticket, .stored) }
    }

    /// Publishes and stores every result record that is due, and returns them.
    @discardableResult
    func settle() -> [Published] {
        let published = publish()
        store(published)
        return published
    }

    /// Lets time pass.
    func pass(milliseconds: Int64) {
        engine.setTime(
            engine.now + .milliseconds(milliseconds),
            wallClock: engine.wallClock + milliseconds)
        engine.doDueWork()
        shareProcess()
    }

    /// The worker asks what the process allows.
    func shareProcess() {
        engine.setStanding(
            engine.wantsToBeAlone ? .ownTurn(areOthersQuiet: areOthersQuiet) : .free)
    }

    /// The first offset of a partition that is not done.
    func next(_ id: AssignmentID = AssignmentID(0)) -> Int64? {
        engine.intakeCell.value.partitions[id]?.tracker.next
    }
}

extension [EngineHarness.Published] {
    var outcomes: Self { filter { $0.ticket.kind == .outcome } }
    var unregistered: Self { filter { $0.ticket.kind == .unregistered } }
    var deadLetters: Self { filter { $0.ticket.kind == .deadLetter } }
}

extension Notice {
    /// The name of its case.
    var name: String { String("\(self)".prefix { $0 != "(" }) }

    /// What it says about a suspension; nil for any other notice.
    var suspension: Suspension? {
        guard case .suspended(let suspension) = self else { return nil }
        return suspension
    }

    /// What it says about refused result records, after the first one; nil for any other notice.
    var refusals: Refusals? {
        switch self {
        case .stillRefused(let refusals), .storedAgain(let refusals), .noneRefused(let refusals):
            refusals
        default: nil
        }
    }
}
