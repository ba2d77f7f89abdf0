internal import APNs
internal import Configuration
internal import Delivery
internal import Encoding
internal import Engine
internal import Mapping
internal import YAML

/// Runs one test on a worker's engine, with scripted responses and a clock that jumps.
///
/// All decisions about a record are the worker's own; Kafka stores everything it is given.
struct TestRun {
    /// A constant seed, so that jitter is the same in every run.
    private static let seed: UInt64 = 1
    private static let start = Instant.distantPast + .seconds(1)
    /// Longer than APNs stores any notification.
    private static let maximum = Duration.seconds(31 * 86_400)

    private let test: ConnectorTest
    private let now: Int64
    private(set) var output = TestOutput()
    /// The index of each notification sent, in the order of the first attempts.
    private var numbers: [PushID: Int] = [:]
    /// Hints on how to fix drops, by their details.
    private var explanations: [String: [String]] = [:]

    private init(
        _ test: ConnectorTest, now: Int64, _ connector: Connector, _ topicPartition: TopicPartition,
        _ id: AssignmentID
    ) {
        self.test = test
        self.now = now
        // Rendered a second time, because a worker collects no hints.
        var renderer = RecordRenderer(plan: connector.plan, group: connector.source.group)
        let rendered = renderer.render(
            test.record.record(of: topicPartition, id, now: now), now: now)
        if rendered.isSkipped {
            output.remarks = ["the record was skipped: 'when' did not match"]
            output.remarks += rendered.explanation
        }
        for notification in rendered.notifications {
            guard case .drop(let drop) = notification.verdict else { continue }
            explanations[drop.detail] = notification.explanation
        }
        output.fallbacks = renderer.fallbacks
    }

    /// Runs a test to completion, or until nothing changes any more.
    static func output(of test: ConnectorTest, _ connector: Connector, now: Int64) -> TestOutput {
        var settings = EngineSettings(connector, clusterID: "-")
        // The records of tests are JSON, as those in other formats are once they are read.
        settings.schemaIDBytes = nil
        var engine = Engine(settings: settings, plan: connector.plan, seed: seed)
        engine.setTime(start, wallClock: now)
        engine.doDueWork()
        let topic = test.record.topic?.text ?? connector.source.firstTopic
        let topicPartition = TopicPartition(topic: topic, partition: 0)
        let id = AssignmentID(0)
        engine.assigned([
            AssignedPartition(id: id, topicPartition: topicPartition, committed: nil, metadata: "")
        ])
        engine.take(test.record.record(of: topicPartition, id, now: now))
        var run = TestRun(test, now: now, connector, topicPartition, id)
        run.finish(&engine)
        run.output.isSkipped = engine.counters.filtered > 0
        return run.output
    }

    private mutating func finish(_ engine: inout Engine) {
        let end = Self.start + Self.maximum
        while true {
            send(&engine)
            publish(&engine)
            guard engine.openRecords > 0 else { return }
            engine.skipIdleSweeps(until: end + Self.maximum)
            guard !isSuspendedForGood(engine), let next = engine.nextDeadline, next < end else {
                return remarkOnSuspension(engine)
            }
            let moment = max(engine.now, next)
            engine.setTime(
                moment, wallClock: now + (moment - Self.start).wholeMilliseconds)
            engine.doDueWork()
        }
    }

    private mutating func send(_ engine: inout Engine) {
        engine.startSending()
        while let id = engine.nextToSend(), let push = engine.view(of: id) {
            let failure = note(push, id, &engine)
            engine.sent(id)
            if let failure {
                engine.unsendable(id, failure)
                continue
            }
            switch response(to: id, attempt: push.attempts) {
            case .response(let response): engine.responded(id, response)
            case .lost: engine.inDoubt(id, reason: "the peer closed the connection")
            }
            engine.startSending()
        }
    }

    /// Records the request of a first attempt, or why none can be written.
    private mutating func note(
        _ push: PushView, _ id: PushID, _ engine: inout Engine
    ) -> UnsendableReason? {
        guard numbers[push.id] == nil else { return nil }
        do throws(APNsRequest.Failure) {
            let request = try engine.withNotification(of: id) {
                notification, apnsID throws(APNsRequest.Failure) in
                try APNsRequest(notification, id: apnsID)
            }
            output.requests.append(request)
        } catch {
            output.remarks.append("dropped: unsendable_field: \(error.detail)")
            return .invalidField(detail: error.detail)
        }
        output.blocks.append(push.index / Mapper.tokenLimit)
        numbers[push.id] = output.requests.count - 1
        return nil
    }

    private func responses(to id: PushID) -> [TestResponse] {
        guard let number = numbers[id], test.responses.indices.contains(number) else {
            return [.response(APNsResponse(status: 200))]
        }
        return test.responses[number]
    }

    /// Attempts beyond the list get the last response.
    private func response(to id: PushID, attempt: Int) -> TestResponse {
        let responses = responses(to: id)
        return responses[min(attempt, responses.count - 1)]
    }

    private mutating func publish(_ engine: inout Engine) {
        while let ticket = engine.writeNextResult() {
            let record = engine.withResult { copy $0 }
            let value = record.value.flatMap { TestValue(json: $0) } ?? TestValue(.null)
            switch ticket.kind {
            case .outcome:
                output.outcomes.append(value)
                if let push = engine.view(of: ticket.push) { remark(on: push) }
            case .unregistered: output.unregistered.append(value)
            default: output.deadLetters.append(DeadLetterView.value(of: record))
            }
            engine.published(ticket)
            engine.acknowledged(ticket, .stored)
        }
    }

    private mutating func remark(on push: PushView) {
        guard push.verdict == .dropped else { return }
        let reason = push.reason ?? ""
        if let drop = push.drop {
            output.remarks.append("dropped: \(reason): \(drop.detail)")
            output.remarks += explanations[drop.detail] ?? []
        } else if let end = push.expiresAt, reason == DropReason.expired.rawValue {
            let end = Timestamp.text(milliseconds: end)
            output.remarks.append("dropped: expired: it expired at \(end)")
        } else {
            output.remarks.append("dropped: \(reason)")
        }
    }

    /// True when APNs rejects the credential, and would do so forever.
    private func isSuspendedForGood(_ engine: borrowing Engine) -> Bool {
        guard engine.isAnyAppSuspended else { return false }
        for push in engine.views where push.isToBeSent {
            let isRepeating = push.attempts >= responses(to: push.id).count
            let waits = push.expiresAt.map { Duration.milliseconds($0 - now) } ?? Self.maximum * 2
            guard numbers[push.id] != nil, isRepeating, waits > Self.maximum else { return false }
        }
        return true
    }

    private mutating func remarkOnSuspension(_ engine: borrowing Engine) {
        guard engine.isAnyAppSuspended else { return }
        for push in engine.views where push.isToBeSent {
            guard let status = push.lastStatus else { continue }
            output.remarks.append(
                "sending suspended: APNs responded \(status) \(push.lastReason ?? ""); the"
                    + " record waits until the credential is fixed, without an outcome")
        }
    }
}

extension TestRecord {
    /// The record, at offset 0 of a partition.
    fileprivate func record(
        of topicPartition: TopicPartition, _ id: AssignmentID, now: Int64
    ) -> Record {
        let timestamp: Int64? =
            switch time {
            case .now: now
            case .none: nil
            case .at(let time): time
            }
        return Record.owning(
            assignment: id, topicPartition: topicPartition, offset: 0, timestamp: timestamp,
            key: key,
            value: value, headers: headers)
    }
}
