import APNs
import Configuration
import Delivery
import EventLoop
import Mapping
import TLS
import Testing

@testable import Bridge

/// A worker's core with its surroundings in the hands of a test.
final class CoreDesk {
    /// A result record that Kafka has in hand.
    struct Published {
        var ticket: Ticket
        var record: ResultRecord
        var value: String { record.value.map { String(decoding: $0, as: UTF8.self) } ?? "null" }
        var key: String? { record.key.map { String(decoding: $0, as: UTF8.self) } }

        /// The last header of that name, as text.
        func header(_ name: String) -> String? {
            record.headers.last { $0.name == name }?.value
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    static let start: Int64 = 1_767_261_600_000  // 2026-01-01T10:00:00Z
    var core: WorkerCore
    private var nextAssignment = 0

    init(
        orderedByDevice: Bool = false, plan: MappingPlan? = nil,
        tweak: (inout WorkerSettings) -> Void = { _ in }
    ) throws {
        let plan = try plan ?? Samples.canonicalPlan()
        var settings = try Samples.settings(plan: plan)
        if orderedByDevice { settings.ordering = .device }
        tweak(&settings)
        core = WorkerCore(settings: settings, plan: plan, seed: 1)
        core.now = 1_000_000_000
        core.wallClock = Self.start
    }

    // MARK: Kafka

    /// Gives the worker one partition.
    @discardableResult
    func assign(
        _ partition: Int32 = 0, committed: Int64? = nil, metadata: String = ""
    ) -> AssignmentID {
        let id = AssignmentID(nextAssignment)
        nextAssignment += 1
        let place = TopicPartition(topic: "shop.orders", partition: partition)
        core.assigned([
            AssignedPartition(
                id: id, topicPartition: place, committed: committed, metadata: metadata)
        ])
        return id
    }

    /// Replaces the log behind an assignment; returns the assignment of the new one.
    func replace(_ old: AssignmentID, _ reset: PositionReset) -> AssignmentID {
        let id = AssignmentID(nextAssignment)
        nextAssignment += 1
        core.replaced(
            old,
            by: AssignedPartition(
                id: id, topicPartition: TopicPartition(topic: "shop.orders", partition: 0),
                committed: reset.to, metadata: "", reset: reset))
        return id
    }

    /// Hands the worker a record.
    func take(
        _ value: String?, offset: Int64, of id: AssignmentID = AssignmentID(0), key: String? = nil,
        headers: [ResultRecord.Header] = [], partition: Int32 = 0
    ) {
        core.take(
            Record.owning(
                assignment: id,
                topicPartition: TopicPartition(topic: "shop.orders", partition: partition),
                offset: offset, timestamp: Self.start - 5000, key: key.map { Array($0.utf8) },
                value: value.map { Array($0.utf8) }, headers: headers))
    }

    /// Hands the worker an event for a device.
    func push(
        _ token: String = "ab01", offset: Int64, of id: AssignmentID = AssignmentID(0),
        more: String = ""
    ) {
        take(Samples.event(token, more: more), offset: offset, of: id)
    }

    // MARK: APNs

    /// Lets a connection take the next notification; nil when there is none to send.
    @discardableResult
    func send() -> Int? {
        guard let place = core.nextToSend() else { return nil }
        core.sent(place)
        return place
    }

    /// Lets connections take whatever may be sent, and returns the places.
    @discardableResult
    func sendAll() -> [Int] {
        var places: [Int] = []
        while places.count < 10_000, let place = send() { places.append(place) }
        return places
    }

    func token(_ place: Int) -> String {
        String(decoding: core.notifications[place].notification.deviceToken, as: UTF8.self)
    }

    func offset(_ place: Int) -> Int64 {
        core.records[core.notifications[place].record].record.offset
    }

    var openRecords: Int { core.records.count }
    var isDirty: Bool { core.isDirty }
    var nextParked: UInt64? { core.parked.next }
    var nextDeadline: UInt64? { core.nextDeadline }
    var owned: [AssignmentID] { core.owned }

    /// What the source is to be told about the flow of its partitions.
    func flowChange() -> FlowChange? { core.takeFlowChange() }

    func answer(
        _ place: Int, _ status: Int, _ reason: String = "", timestamp: Int64? = nil,
        retryAfter: Int? = nil
    ) {
        let answer = APNsResponse(
            status: status, reason: reason, timestamp: timestamp, retryAfter: retryAfter)
        core.answered(place, answer)
    }

    /// Sends one notification and lets Apple answer it.
    func sendAndAnswer(_ status: Int, _ reason: String = "", timestamp: Int64? = nil) throws {
        answer(try #require(send()), status, reason, timestamp: timestamp)
    }

    // MARK: Results

    /// Hands over everything that is owed.
    func publish() -> [Published] {
        var published: [Published] = []
        while published.count < 10_000, let ticket = core.nextResult() {
            published.append(Published(ticket: ticket, record: core.writer.record))
            core.published(ticket)
        }
        return published
    }

    func store(_ published: [Published]) {
        for one in published { core.acknowledged(one.ticket, .stored) }
    }

    /// Publishes and stores everything that is owed, and returns it.
    @discardableResult
    func settle() -> [Published] {
        let published = publish()
        store(published)
        return published
    }

    /// Lets time pass.
    func pass(milliseconds: Int64) {
        core.now += UInt64(milliseconds) * 1_000_000
        core.wallClock += milliseconds
        core.expireDeadlines()
    }

    /// The offset of a partition below which everything is done.
    func next(_ id: AssignmentID = AssignmentID(0)) -> Int64? {
        core.partitions[id]?.tracker.next
    }
}

extension [CoreDesk.Published] {
    var outcomes: Self { filter { $0.ticket.kind == .outcome } }
    var unregistered: Self { filter { $0.ticket.kind == .unregistered } }
    var deadLetters: Self { filter { $0.ticket.kind == .deadLetter } }
}
