internal import Delivery

/// Limits what is logged about result records that Kafka refuses: one line when a cause begins, one
/// per minute with the count while it lasts, and one when it ends.
struct RefusalLog: Sendable {
    /// How often a cause that persists is logged again.
    static let interval = Duration.seconds(60)
    /// A cause has ended when records were stored and none was refused for this long. It is longer
    /// than a refused record waits before it is published again.
    static let quiet = Duration.seconds(10)

    private struct Cause: Sendable {
        let topic: String
        let kind: ResultKinds
        let code: String
        let since: Instant
        var last: Instant
        var nextLine: Instant
        /// Refusals since the last line, and in all.
        var count = 0
        var total = 0
        /// True when a record of the same topic was stored after the last refusal.
        var isStoring = false

        var nextLook: Instant { isStoring ? min(last + RefusalLog.quiet, nextLine) : nextLine }

        func refusals(_ count: Int, now: Instant) -> Notice.Refusals {
            Notice.Refusals(
                topic: topic, code: code, count: count, duration: since.duration(to: now))
        }
    }

    private var causes: [Cause] = []

    /// When the next line may be due; nil while no cause exists.
    private(set) var nextLook: Instant?

    /// Counts a refusal; returns a line when its cause is new.
    mutating func refused(
        _ kind: ResultKinds, of topic: String, _ failure: KafkaFailure, now: Instant
    ) -> Notice? {
        let known = causes.firstIndex { $0.kind == kind && $0.code == failure.code }
        let index = known ?? causes.count
        if known == nil {
            causes.append(
                Cause(
                    topic: topic, kind: kind, code: failure.code, since: now, last: now,
                    nextLine: now + Self.interval))
        } else {
            causes[index].count += 1
        }
        causes[index].total += 1
        causes[index].last = now
        causes[index].isStoring = false
        schedule()
        guard known == nil else { return nil }
        return .refused(topic: topic, failure)
    }

    /// Kafka has stored a result record.
    mutating func stored(_ kind: ResultKinds) {
        guard !causes.isEmpty else { return }
        for index in causes.indices where causes[index].kind == kind && !causes[index].isStoring {
            causes[index].isStoring = true
            schedule()
        }
    }

    /// The lines that are due. Without open pushes nothing will be stored that could end a cause:
    /// their partitions have other owners.
    mutating func due(now: Instant, hasOpenPushes: Bool) -> [Notice] {
        guard let look = nextLook, look <= now else { return [] }
        var notices: [Notice] = []
        for index in causes.indices.reversed() {
            let cause = causes[index]
            if cause.isStoring, cause.last + Self.quiet <= now {
                notices.append(.storedAgain(cause.refusals(cause.total, now: now)))
                causes.remove(at: index)
            } else if cause.nextLine <= now {
                causes[index].nextLine = now + Self.interval
                causes[index].count = 0
                if cause.count > 0 {
                    notices.append(.stillRefused(cause.refusals(cause.count, now: now)))
                } else if !hasOpenPushes {
                    notices.append(.noneRefused(cause.refusals(cause.total, now: now)))
                    causes.remove(at: index)
                }
            }
        }
        schedule()
        return notices.reversed()
    }

    private mutating func schedule() { nextLook = causes.map(\.nextLook).min() }
}
