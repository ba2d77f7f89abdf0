internal import Delivery
internal import Engine
internal import Kafka
public import Mapping

/// Which dead letters are replayed.
public struct ReplaySelection: Sendable {
    /// The outcome's reason; nil for any but ``DeadLetter/inDoubt``.
    public var reason: String?
    /// The earliest timestamp of a dead letter, in milliseconds since 1970; nil for any.
    public var since: Int64?
    /// A plan whose `when` the event must match; nil for any event.
    public var condition: MappingPlan?
    /// How often an event may be replayed.
    public var maxReplays = 3
    /// True to begin at the oldest dead letter where nothing is recorded, however old that is.
    public var isFromBeginning = false

    /// Selects all dead letters of the connector.
    public init() {}

    /// What becomes of a dead letter.
    enum Decision: Equatable {
        case replay
        /// Not selected; another replay may select it.
        case passedOver
        /// Nothing is recorded of its partition, and the replay begins later.
        case skipped
        /// Its event was replayed as often as allowed.
        case tooOften
        /// It is one of several pushes of an event, and only whole events can be written.
        case oneOfMany
        /// Its value was left out.
        case withoutValue
        /// It is of another connector.
        case foreign
        /// Its headers cannot be read, or it names no event.
        case damaged
        /// It must be sealed and is not: a forged one would send what nobody has refused.
        case unsealed

        /// True when no later replay may decide otherwise.
        var isFinal: Bool {
            switch self {
            case .passedOver, .tooOften, .oneOfMany, .unsealed: false
            case .replay, .skipped, .withoutValue, .foreign, .damaged: true
            }
        }
    }

    /// True for a dead letter that was written before ``since``.
    func isEarly(_ timestamp: Int64?) -> Bool {
        since.map { timestamp ?? .max < $0 } ?? false
    }

    /// Decides by everything except the event.
    func decision(
        _ letter: StoredDeadLetter?, timestamp: Int64?, of connector: String
    ) -> Decision {
        guard let letter else { return .damaged }
        if letter.connector != connector { return .foreign }
        if letter.reason == DropReason.damagedRetry.rawValue { return .damaged }
        if let reason, letter.reason != reason { return .passedOver }
        // Its push may have arrived: only who asks for it gets it a second time.
        if reason == nil, letter.reason == DeadLetter.inDoubt { return .passedOver }
        if isEarly(timestamp) { return .passedOver }
        if letter.isWithoutValue { return .withoutValue }
        return letter.replays >= maxReplays ? .tooOften : .replay
    }
}
