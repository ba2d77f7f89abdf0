internal import Delivery

extension Push {
    /// The state of a push. Each case contains the data that only it needs.
    enum State: Equatable, Sendable {
        /// An earlier push with its ordering key must be done first.
        case blocked
        /// It will be sent as soon as a connection has room.
        case queued
        /// A connection has accepted it, and no response has come.
        case inFlight(InFlight)
        /// It will be sent again at that time.
        case waiting(until: Instant)
        /// It has a verdict, which the mass-invalidation guard withholds.
        case withheld(Report)
        /// It has a verdict, or is moving to the retry topic: Kafka still owes acknowledgements.
        case reporting(Report)
        /// Kafka has acknowledged everything, or another reader will read its record again.
        case done
    }

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

extension Push.State {
    /// A state without its associated values.
    enum Kind: UInt8, CaseIterable, Sendable {
        case blocked, queued, inFlight, waiting, withheld, reporting, done

        /// The table of allowed transitions. The article *The life of a push* draws it.
        var allowedNext: Set {
            switch self {
            case .done: [.blocked, .queued, .waiting, .reporting]
            case .blocked: [.queued, .done]
            case .queued: [.inFlight, .waiting, .reporting, .done]
            case .inFlight: [.queued, .waiting, .reporting, .withheld, .done]
            case .waiting: [.queued, .reporting, .done]
            case .withheld: [.queued, .reporting, .done]
            case .reporting: [.reporting, .withheld, .waiting, .done]
            }
        }

        /// A set of states.
        struct Set: OptionSet, Sendable {
            let rawValue: UInt8

            static let blocked = Set(.blocked)
            static let queued = Set(.queued)
            static let inFlight = Set(.inFlight)
            static let waiting = Set(.waiting)
            static let withheld = Set(.withheld)
            static let reporting = Set(.reporting)
            static let done = Set(.done)

            init(rawValue: UInt8) { self.rawValue = rawValue }

            private init(_ kind: Kind) { rawValue = 1 << kind.rawValue }

            @inline(__always)
            func contains(_ kind: Kind) -> Bool { rawValue >> kind.rawValue & 1 == 1 }
        }
    }

    var kind: Kind {
        switch self {
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
        case .inFlight, .reporting, .done: false
        }
    }
}
