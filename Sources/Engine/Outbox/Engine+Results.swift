internal import Configuration
package import Delivery
internal import EventLoop

/// Publishes the result records that Kafka is owed and handles their acknowledgements.
extension Engine {
    /// Writes the next owed result record, for ``withResult(_:)``; nil when none is owed.
    package mutating func writeNextResult() -> Ticket? {
        while let id = outbox.head() {
            if pushes.isCurrent(id), case .reporting(let report) = pushes[id].state,
                let kind = report.owed.first
            {
                write(kind, of: id, report)
                return Ticket(id, kind)
            }
            outbox.removeHead()
        }
        return nil
    }

    /// Passes the result record written last to `body`.
    package mutating func withResult<Result>(_ body: (borrowing ResultRecord) -> Result) -> Result {
        results.withRecord(body)
    }

    private mutating func write(_ kind: ResultKinds, of id: PushID, _ report: Push.Report) {
        switch kind {
        case .outcome:
            let partition =
                settings.results.partitioner == .source
                ? outbox.partition(of: pushes[recordOf: id].stored.origin.topicPartition) : nil
            guard pushes.hasDetails(id) else {
                return results.writeOutcome(
                    pushes[id], .none, report, pushes[recordOf: id].stored, partition: partition,
                    wallClock)
            }
            results.writeOutcome(
                pushes[id], pushes[details: id], report, pushes[recordOf: id].stored,
                partition: partition, wallClock)
        case .unregistered:
            results.writeUnregistered(
                pushes[id], pushes[details: id], pushes[recordOf: id].stored, wallClock)
        case .retry:
            results.writeRetry(
                pushes[id], pushes[details: id], pushes[recordOf: id].stored, due: due(id),
                until: givenUpAt(id), now: wallClock)
        default:
            let carrier = pushes.carrier(for: id)
            results.writeDeadLetter(
                pushes[id], pushes[details: id], report, pushes[recordOf: id].stored,
                isAlone: pushes[recordOf: id].count == 1 && !pushes[details: id].isFromRetryTopic,
                carrier: carrier)
        }
    }

    /// The topics whose partition counts the engine needs.
    package var topicsToCount: [String] {
        guard settings.results.partitioner == .source else {
            return settings.rate.owner == .group ? settings.sourceTopics : []
        }
        return settings.sourceTopics + outbox.matchingTopics + [settings.results.outcomes]
    }

    /// True for partitions of topics that match a pattern.
    package func readsByPattern(_ partitions: [TopicPartition]) -> Bool {
        guard settings.hasPatterns else { return false }
        let topics = outbox.matchingTopics
        return partitions.allSatisfy { topics.contains($0.topic) }
    }

    /// Sets the partition count of a topic; nil when the sink does not know it.
    package mutating func setPartitionCount(_ count: Int?, of topic: String) {
        if outbox.setPartitionCount(count, of: topic) { shareRate() }
    }

    /// The sink has accepted the record.
    package mutating func published(_ ticket: Ticket) {
        guard let id = current(ticket.push), case .reporting = pushes[id].state else { return }
        apply(.published(ticket.kind), to: id)
        guard case .reporting(let report) = pushes[id].state else { return }
        if report.owed.isEmpty { outbox.published(id) }
    }

    /// Kafka has acknowledged or rejected a result record.
    package mutating func acknowledged(_ ticket: Ticket, _ acknowledgement: Acknowledgement) {
        guard let id = current(ticket.push), case .reporting(let report) = pushes[id].state,
            report.published.contains(ticket.kind)
        else { return }
        switch acknowledgement {
        case .stored: stored(ticket.kind, of: id, report)
        case .tooLarge: shorten(id, report, ticket.kind)
        case .failed(let failure): refuse(id, ticket.kind, failure)
        }
    }

    private mutating func stored(_ kind: ResultKinds, of id: PushID, _ report: Push.Report) {
        counters.add(\.resultsStored)
        outbox.stored(kind)
        if kind == .outcome { countOutcome(id, report) }
        if kind == .retry { counters.add(\.storedInRetryTopic) }
        if kind == .deadLetter { counters.add(\.deadLetters) }
        if isTracing, kind == .outcome || kind == .retry { finishTrace(id, report) }
        apply(.stored(kind), to: id)
        guard case .reporting(let left) = pushes[id].state, left.isStored else { return }
        if left.stored.contains(.unregistered) { rememberUnregistered(id) }
        close(id)
    }

    /// Counts a push for metrics and summaries. A function of its own also in benchmarks, where
    /// what it costs has a limit.
    @inline(never)
    private mutating func countOutcome(_ id: PushID, _ report: Push.Report) {
        guard let verdict = report.verdict else { return }
        let isAccepted = verdict == .accepted
        let app = AppID(settings.appIndex(of: pushes[id].app))
        let pushType = pushes[id].pushType
        if isAccepted {
            figures.countAccepted(app, pushType)
        } else {
            figures.count(app, pushType, verdict, reason: pushes[details: id].reason)
        }
        if !labelReader.value.isEmpty { countLabels(id, verdict) }
        figures.measure(
            event: pushes[id].eventTime, sent: pushes[id].sentAt,
            responded: pushes[id].respondedAt, stored: wallClock, isAccepted: isAccepted,
            trace: isTracing ? traceText(id) : nil)
    }

    private mutating func countLabels(_ id: PushID, _ verdict: Verdict) {
        pushes[recordOf: id].stored.withLabels(pushes[id].content) {
            labelReader.value.read($0)
        }
        let reason = verdict == .accepted ? nil : pushes[details: id].reason
        figures.countLabels(
            labelReader.value.key, AppID(settings.appIndex(of: pushes[id].app)),
            pushes[id].pushType, verdict, reason: reason, now: now)
    }

    /// Shortens a record that Kafka rejects as too large, and publishes it again.
    private mutating func shorten(_ id: PushID, _ report: Push.Report, _ kind: ResultKinds) {
        guard kind != .retry else { return keepInMemory(id) }
        guard pushes.change(id, { $0.shorten(kind) }) else {
            let failure = KafkaFailure(
                code: "MSG_SIZE_TOO_LARGE", detail: "even without key and value", isFatal: false)
            return refuse(id, kind, failure)
        }
        owe(id, report.owing(again: kind))
    }

    /// Publishes a rejected record again after a while. The offset is not committed until then.
    private mutating func refuse(_ id: PushID, _ kind: ResultKinds, _ failure: KafkaFailure) {
        counters.add(\.resultsRefused)
        apply(.refused(kind), to: id)
        if kind == .retry, isLeftToNextOwner(id) {
            abandon(id)
        } else {
            outbox.refuse(id, now: now)
        }
        let topic = settings.results.topic(of: kind)
        if let notice = outbox.refused(kind, of: topic, failure, now: now) {
            notices.append(notice)
        }
    }

    /// Publishes rejected records again.
    mutating func offerAgain(_ id: PushID) {
        guard pushes.isCurrent(id), case .reporting(let report) = pushes[id].state,
            !report.refused.isEmpty
        else { return }
        owe(id, report.owingRefused)
    }
}

extension PushDetails {
    /// Shortens a result record further; false when nothing more can be left out.
    mutating func shorten(_ kind: ResultKinds) -> Bool {
        if kind == .deadLetter {
            let more = DeadLetterOmission(rawValue: omission.rawValue + 1)
            omission = more ?? omission
            return more != nil
        }
        defer { isOutcomeShort = true }
        return !isOutcomeShort
    }
}
