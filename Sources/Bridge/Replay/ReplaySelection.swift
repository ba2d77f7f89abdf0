internal import Delivery
internal import Engine
internal import Kafka
public import Mapping

/// Which dead letters are replayed.
public struct ReplaySelection: Sendable {
    /// The outcome's reason; nil for any.
    public var reason: String?
    /// The earliest timestamp of a dead letter, in milliseconds since 1970; nil for any.
    public var since: Int64?
    /// A plan whose `when` the event must match; nil for any event.
    public var condition: MappingPlan?
    /// How often an event may be replayed.
    public var maxReplays = 3

    /// Selects all dead letters of the connector.
    public init() {}

    /// What becomes of a dead letter.
    enum Decision: Equatable {
        case replay
        /// Not selected; another replay may select it.
        case passedOver
        /// Its event was replayed as often as allowed.
        case tooOften
        /// Its value was left out.
        case withoutValue
        /// It is of another connector.
        case foreign
        /// Its headers cannot be read, or it names no event.
        case damaged

        /// True when no later replay may decide otherwise.
        var isFinal: Bool { self != .passedOver && self != .tooOften }
    }

    /// Decides by everything except the event.
    func decision(
        _ letter: StoredDeadLetter?, timestamp: Int64?, of connector: String
    ) -> Decision {
        guard let letter else { return .damaged }
        if letter.connector != connector { return .foreign }
        if letter.reason == DropReason.damagedRetry.rawValue { return .damaged }
        if let reason, letter.reason != reason { return .passedOver }
        if let since, timestamp ?? .max < since { return .passedOver }
        if letter.isWithoutValue { return .withoutValue }
        return letter.replays >= maxReplays ? .tooOften : .replay
    }
}
