/// Something that happens to connections, whatever is pushed.
public struct ScriptedFault: Equatable, Sendable {
    /// When it happens to a connection.
    public enum Moment: Equatable, Sendable {
        /// When the time comes: at `from`, or as long as the stretch lasts for what lasts.
        case time(Schedule)
        /// When the connection's request of that number has come, from 1.
        case request(Int)
        /// With every so-manieth request of the connection.
        case everyRequest(Int)
        /// When the connection has got so many answers that refuse a push, 410 not counted.
        case refusals(Int)
    }

    /// What happens once.
    public enum Event: Equatable, Sendable {
        /// GOAWAY.
        case goAway(ScriptedFarewell)
        /// SETTINGS.
        case settings(ScriptedSettings)
        /// The connection is cut.
        case cut(Cut)
        /// Bytes that are no HTTP/2.
        case garbage
    }

    /// What lasts for a while.
    public enum State: Equatable, Sendable {
        /// Nothing is read and nothing is sent.
        case silence
        /// No window is returned.
        case closedWindows
        /// So many bytes a second are read, no more.
        case slowReading(bytesPerSecond: Int)
        /// Every push is refused with 403 and this reason.
        case forbidding(reason: String)
        /// Connections are refused.
        case refusal
        /// Handshakes fail.
        case tls(TLSFault)
    }

    /// What happens.
    public enum Effect: Equatable, Sendable {
        /// Once.
        case event(Event)
        /// For a while.
        case state(State)
    }

    /// What happens.
    public var effect: Effect
    /// When it happens.
    public var moment: Moment
    /// Only the connection of that number since the scenario began, from 1; nil for all.
    public var connection: Int?
    /// Which share of the connections, from 0 to 1; nil for all.
    public var share: Double?

    /// Describes a fault.
    public init(
        _ effect: Effect, _ moment: Moment, connection: Int? = nil, share: Double? = nil
    ) {
        self.effect = effect
        self.moment = moment
        self.connection = connection
        self.share = share
    }
}

/// A GOAWAY frame, and what follows it.
public struct ScriptedFarewell: Equatable, Sendable {
    /// What has come so far is still answered; otherwise nothing is.
    public var answersWhatCame = true
    /// The error code.
    public var code: UInt32 = 0
    /// The debug data; Apple puts `{"reason":…}` there.
    public var debug: [UInt8] = []
    /// First a GOAWAY that names no stream, and the final one so many milliseconds later.
    public var secondAfter: Int?
    /// The connection is closed once everything is answered; otherwise it stays.
    public var closes = true

    /// A GOAWAY of a server that goes in order.
    public init() {}
}

/// What a SETTINGS frame changes.
public struct ScriptedSettings: Equatable, Sendable {
    /// How many streams the client may have open.
    public var streamLimit: Int?
    /// The window of each stream.
    public var streamWindow: Int?

    /// Changes nothing.
    public init() {}
}
