internal import Delivery

extension Push {
    /// Where a push stands. Each case carries what only it needs.
    enum State: Equatable, Sendable {
        /// An earlier push of its ordering key must end first.
        case blocked
        /// It is sent as soon as a connection takes it.
        case queued
        /// It was handed to a connection and has no response.
        case inFlight(InFlight)
        /// It is sent again at that moment.
        case waiting(until: Instant)
        /// It has its verdict, which the mass-invalidation guard withholds.
        case withheld(Report)
        /// It has its verdict, or goes to the retry topic: Kafka still owes acknowledgements.
        case reporting(Report)
        /// Kafka has acknowledged everything, or its record is read again by somebody else.
        case done
    }

    /// A request that has no response.
    struct InFlight: Equatable, Sendable, BitwiseCopyable {
        /// True when it probes whether the mass-invalidation guard may be released.
        var isGuardProbe: Bool
    }

    /// A verdict, and what Kafka still owes for it.
    struct Report: Equatable, Sendable {
        /// Nil for a push that goes to the retry topic.
        var verdict: Verdict?
        /// True when Kafka has stored one of its result records: it cannot be taken back.
        var isPartlyStored = false
        /// The status of the response that decided; 0 when none did.
        var status: UInt16 = 0
        /// True when the response makes the device token suspect.
        var isSuspect = false
        /// To be published.
        var owed: ResultKinds
        /// Published, and not acknowledged.
        var published: ResultKinds = []
        /// Refused by Kafka, and published again later.
        var refused: ResultKinds = []

        /// True when Kafka has every result record.
        var isStored: Bool { owed.isEmpty && published.isEmpty && refused.isEmpty }
        /// True when Kafka was given nothing of it.
        var isUnpublished: Bool {
            !owed.isEmpty && published.isEmpty && refused.isEmpty && !isPartlyStored
        }
        /// True when it would call its device token unregistered or suspect.
        var blamesToken: Bool { owed.contains(.unregistered) || isSuspect }
    }
}

extension Push.State {
    /// A state without what it carries.
    enum Kind: UInt8, CaseIterable, Sendable {
        case blocked, queued, inFlight, waiting, withheld, reporting, done

        /// The table of allowed moves. The article *The life of a push* draws it.
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

        /// Several kinds.
        struct Set: ExpressibleByArrayLiteral, Sendable {
            private var bits: UInt8 = 0

            init(arrayLiteral kinds: Kind...) {
                for kind in kinds { bits |= 1 << kind.rawValue }
            }

            func contains(_ kind: Kind) -> Bool { bits >> kind.rawValue & 1 == 1 }
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

    /// True while nobody outside has it: neither APNs nor Kafka.
    var isIdle: Bool {
        switch self {
        case .blocked, .queued, .waiting, .withheld: true
        case .inFlight, .reporting, .done: false
        }
    }
}
