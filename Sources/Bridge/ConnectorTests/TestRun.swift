internal import APNs
internal import Configuration
internal import Delivery
internal import Encoding
internal import EventLoop
internal import Mapping
internal import YAML

/// Runs one test on the core of a worker, with scripted answers and a clock that jumps.
///
/// Everything that decides about a record is the worker's own; Kafka stores all that it is given.
struct TestRun {
    /// The order of jitter is the same in every run.
    private static let seed: UInt64 = 1
    private static let start: UInt64 = 1_000_000_000
    /// Nothing waits longer than Apple stores a notification.
    private static let longest: UInt64 = 31 * 86_400_000_000_000

    private let test: ConnectorTest
    private let now: Int64
    private(set) var output = TestOutput()
    /// The number of each notification that was sent, in the order of the first attempts.
    private var numbers: [Int: Int] = [:]
    /// What helps to mend drops, by their details.
    private var explanations: [String: [String]] = [:]

    private init(
        _ test: ConnectorTest, now: Int64, _ plan: MappingPlan, _ place: TopicPartition,
        _ id: AssignmentID
    ) {
        self.test = test
        self.now = now
        // Looked at a second time, because a worker explains nothing while it works.
        var renderer = RecordRenderer(plan: plan)
        let rendered = renderer.render(test.record.record(of: place, id, now: now), now: now)
        if rendered.isFiltered {
            output.remarks = ["the record was filtered: 'when' did not match"]
            output.remarks += rendered.explanation
        }
        for notification in rendered.notifications {
            guard case .drop(let drop) = notification.verdict else { continue }
            explanations[drop.detail] = notification.explanation
        }
        output.fallbacks = renderer.fallbacks
    }

    /// Runs a test to its end, or until nothing changes any more.
    static func output(of test: ConnectorTest, _ connector: Connector, now: Int64) -> TestOutput {
        let settings = WorkerSettings(connector, clusterID: "-")
        var core = WorkerCore(settings: settings, plan: connector.plan, seed: seed)
        core.now = start
        core.wallClock = now
        core.expireDeadlines()
        let topic = test.record.topic?.text ?? connector.source.topics.first ?? ""
        let place = TopicPartition(topic: topic, partition: 0)
        let id = AssignmentID(0)
        core.assigned([
            AssignedPartition(id: id, topicPartition: place, committed: nil, metadata: "")
        ])
        core.take(test.record.record(of: place, id, now: now))
        var run = TestRun(test, now: now, connector.plan, place, id)
        run.finish(&core)
        run.output.isFiltered = core.counters.filtered > 0
        return run.output
    }

    private mutating func finish(_ core: inout WorkerCore) {
        while true {
            send(&core)
            publish(&core)
            guard core.records.count > 0 else { return }
            skipSweeps(&core)
            guard !isHeldForEver(core), let next = core.nextDeadline,
                next < Self.start + Self.longest
            else { return remarkOnHold(core) }
            core.now = max(core.now, next)
            core.wallClock = now + Int64((core.now - Self.start) / 1_000_000)
            core.expireDeadlines()
        }
    }

    private mutating func send(_ core: inout WorkerCore) {
        while let place = core.nextToSend() {
            let attempt = core.notifications[place].attempts
            let isWritten = note(place, core)
            core.sent(place)
            guard isWritten else {
                core.answered(place, .unsendable)
                continue
            }
            switch answer(to: place, attempt: attempt) {
            case .answer(let answer): core.answered(place, answer)
            case .lost: core.inDoubt(place, reason: "the peer closed the connection")
            }
        }
    }

    /// Keeps the request of a first attempt; false when none can be written.
    private mutating func note(_ place: Int, _ core: borrowing WorkerCore) -> Bool {
        guard numbers[place] == nil else { return true }
        let open = core.notifications[place]
        do throws(APNsRequest.Failure) {
            output.requests.append(try APNsRequest(open.notification, id: open.id))
        } catch {
            output.remarks.append("dropped: unsendable_field: \(error.detail)")
            return false
        }
        output.blocks.append(open.notification.index / Mapper.tokenLimit)
        numbers[place] = output.requests.count - 1
        return true
    }

    private func answers(to place: Int) -> [TestAnswer] {
        guard let number = numbers[place], test.answers.indices.contains(number) else {
            return [.answer(Answer(status: 200))]
        }
        return test.answers[number]
    }

    /// Attempts past the list get its last answer.
    private func answer(to place: Int, attempt: Int) -> TestAnswer {
        let answers = answers(to: place)
        return answers[min(attempt, answers.count - 1)]
    }

    private mutating func publish(_ core: inout WorkerCore) {
        while let ticket = core.nextResult() {
            let record = core.writer.record
            let value = record.value.flatMap { TestValue(json: $0) } ?? TestValue(.null)
            switch ticket.kind {
            case .outcome:
                output.outcomes.append(value)
                remark(on: core.notifications[ticket.notification])
            case .unregistered: output.unregistered.append(value)
            default: output.deadLetters.append(DeadLetterView.value(of: record))
            }
            core.published(ticket)
            core.acknowledged(ticket, .stored)
        }
    }

    private mutating func remark(on open: borrowing OpenNotification) {
        guard let outcome = open.outcome, outcome.verdict == .dropped else { return }
        let reason = outcome.reason ?? ""
        if let drop = open.notification.drop {
            output.remarks.append("dropped: \(reason): \(drop.detail)")
            output.remarks += explanations[drop.detail] ?? []
        } else if let end = open.notification.expiresAt, reason == DropReason.expired.rawValue {
            let end = Timestamp.text(milliseconds: end)
            output.remarks.append("dropped: expired: it expired at \(end)")
        } else {
            output.remarks.append("dropped: \(reason)")
        }
    }

    /// Leaves out the sweeps that will find nothing, so that a month passes in no time.
    private func skipSweeps(_ core: inout WorkerCore) {
        var first = UInt64.max
        for place in core.notifications.indices {
            let open = core.notifications[place]
            guard open.stage == .ready || open.stage == .parked else { continue }
            let giveUp = UInt64(core.settings.retry.giveUpAfter + 1) * 1_000_000
            first = min(first, open.takenAt + giveUp)
            if let end = open.notification.expiresAt { first = min(first, moment(end)) }
        }
        let interval = WorkerCore.sweepInterval
        guard first > core.nextSweep else { return }
        let latest = min(first, Self.start + 2 * Self.longest)
        core.nextSweep += (latest - core.nextSweep + interval - 1) / interval * interval
    }

    /// A time on the wall, in milliseconds since 1970, on the worker's monotonic clock.
    private func moment(_ milliseconds: Int64) -> UInt64 {
        let wait = min(max(0, milliseconds - now), 2 * Int64(Self.longest / 1_000_000))
        return Self.start + UInt64(wait) * 1_000_000
    }

    /// True when Apple refuses the credential, and will answer the same for ever.
    private func isHeldForEver(_ core: borrowing WorkerCore) -> Bool {
        guard core.lines.isAnyHeld else { return false }
        for place in core.notifications.indices {
            let open = core.notifications[place]
            switch open.stage {
            case .free, .reporting, .guarded: continue
            case .sent, .waiting, .ready, .parked:
                let isRepeating = open.attempts >= answers(to: place).count
                let end = open.notification.expiresAt.map { moment($0) } ?? .max
                guard numbers[place] != nil, isRepeating, end > Self.start + Self.longest else {
                    return false
                }
            }
        }
        return true
    }

    private mutating func remarkOnHold(_ core: borrowing WorkerCore) {
        guard core.lines.isAnyHeld else { return }
        for place in core.notifications.indices {
            let open = core.notifications[place]
            guard let status = open.lastStatus, open.outcome == nil else { continue }
            output.remarks.append(
                "the line is held: APNs answered \(status) \(open.lastReason ?? ""); "
                    + "the record waits until the credential is mended, without an outcome")
        }
    }
}

extension TestRecord {
    /// The record at offset 0 of a partition.
    fileprivate func record(
        of place: TopicPartition, _ id: AssignmentID, now: Int64
    ) -> Record {
        let timestamp: Int64? =
            switch time {
            case .now: now
            case .none: nil
            case .at(let time): time
            }
        return Record.owning(
            assignment: id, topicPartition: place, offset: 0, timestamp: timestamp, key: key,
            value: value, headers: headers)
    }
}
