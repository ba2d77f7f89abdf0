internal import Delivery

extension Push {
    /// A request without a response.
    struct InFlight: Equatable, Sendable, BitwiseCopyable {
        /// When it was sent, in milliseconds since 1970.
        var sentAt: Int64
        /// True for a probe of the mass-invalidation guard.
        var isGuardProbe: Bool
    }

    /// A verdict, and what Kafka still owes for it.
    struct Report: Equatable, Sendable {
        /// Nil for a push that is moving to the retry topic.
        var verdict: Verdict?
        /// Result records that Kafka has stored.
        var stored: ResultKinds = []
        /// The status of the decisive response; 0 when there was none.
        var status: UInt16 = 0
        /// True when the response makes the device token suspect.
        var isSuspect = false
        /// Result records to publish.
        var owed: ResultKinds
        /// Result records that are published and not acknowledged.
        var published: ResultKinds = []
        /// Result records that Kafka rejected, to be published again later.
        var refused: ResultKinds = []

        /// True when Kafka has every result record.
        var isStored: Bool { owed.isEmpty && published.isEmpty && refused.isEmpty }
        /// True when Kafka has stored one of its result records, so that the verdict cannot change.
        var isPartlyStored: Bool { !stored.isEmpty }
        /// True when the unregistered record is among its result records.
        var hasUnregistered: Bool {
            owed.union(published).union(refused).union(stored).contains(.unregistered)
        }
        /// True when nothing has been published.
        var isUnpublished: Bool {
            !owed.isEmpty && published.isEmpty && refused.isEmpty && !isPartlyStored
        }
        /// True when it reports its device token as unregistered or suspect.
        var blamesToken: Bool { owed.contains(.unregistered) || isSuspect }
    }
}

extension Push.Report {
    /// After the producer has accepted a record.
    func published(_ kind: ResultKinds) -> Self {
        var next = self
        next.owed.remove(kind)
        next.published.insert(kind)
        return next
    }

    /// After Kafka has stored a record.
    func stored(_ kind: ResultKinds) -> Self {
        var next = self
        next.published.remove(kind)
        next.stored.insert(kind)
        return next
    }

    /// After Kafka has rejected a record.
    func refused(_ kind: ResultKinds) -> Self {
        var next = self
        next.published.remove(kind)
        next.refused.insert(kind)
        return next
    }

    /// With a record that Kafka has rejected to be published again at once.
    func owing(again kind: ResultKinds) -> Self {
        var next = self
        next.published.remove(kind)
        next.owed.insert(kind)
        return next
    }

    /// With all that Kafka has rejected to be published again.
    var owingRefused: Self {
        var next = self
        next.owed.formUnion(refused)
        next.refused = []
        return next
    }
}

extension Push.State {
    /// A state without its associated values.
    enum Kind: UInt8, CaseIterable, Sendable {
        case new, blocked, queued, inFlight, waiting, withheld, reporting, done
    }

    var kind: Kind {
        switch self {
        case .new: .new
        case .blocked: .blocked
        case .queued: .queued
        case .inFlight: .inFlight
        case .waiting: .waiting
        case .withheld: .withheld
        case .reporting: .reporting
        case .done: .done
        }
    }

    /// True while neither APNs nor Kafka is processing it.
    var isIdle: Bool {
        switch self {
        case .blocked, .queued, .waiting, .withheld: true
        case .new, .inFlight, .reporting, .done: false
        }
    }
}
