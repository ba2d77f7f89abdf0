/// An event or a state of connections, independent of individual pushes.
public struct ScriptedFault: Equatable, Sendable {
    /// When it happens to a connection.
    public enum Moment: Equatable, Sendable {
        /// At a time: an event at `from`, a state during the whole period.
        case time(Schedule)
        /// When the connection's request with this number is received, from 1.
        case request(Int)
        /// With every nth request of the connection.
        case everyRequest(Int)
        /// When the connection has got this many rejections, not counting 410.
        case refusals(Int)
    }

    /// A single event.
    public enum Event: Equatable, Sendable {
        /// GOAWAY.
        case goAway(ScriptedGoAway)
        /// SETTINGS.
        case settings(ScriptedSettings)
        /// The connection is cut.
        case cut(ConnectionCut)
        /// Bytes that are not HTTP/2.
        case garbage
    }

    /// A lasting state.
    public enum State: Equatable, Sendable {
        /// Nothing is read and nothing is sent.
        case silence
        /// Windows are not restored.
        case closedWindows
        /// At most this many bytes per second are read.
        case slowReading(bytesPerSecond: Int)
        /// Every push is rejected with 403 and this reason.
        case forbidding(reason: String)
        /// Connections are refused.
        case refusal
        /// Handshakes fail.
        case tls(TLSFault)
    }

    /// An event or a state.
    public enum Effect: Equatable, Sendable {
        /// An event.
        case event(Event)
        /// A state.
        case state(State)
    }

    /// The event or state.
    public var effect: Effect
    /// When it happens.
    public var moment: Moment
    /// Only the connection with this number since the scenario started, from 1; nil for all.
    public var connection: Int?
    /// The share of connections that it applies to, from 0 to 1; nil for all.
    public var share: Double?

    /// Creates a fault.
    public init(
        _ effect: Effect, _ moment: Moment, connection: Int? = nil, share: Double? = nil
    ) {
        self.effect = effect
        self.moment = moment
        self.connection = connection
        self.share = share
    }
}

/// A GOAWAY frame, and what happens afterwards.
public struct ScriptedGoAway: Equatable, Sendable {
    /// Requests received before get responses; otherwise they do not.
    public var processesWhatCame = true
    /// The error code.
    public var code: UInt32 = 0
    /// The debug data; Apple puts `{"reason":…}` there.
    public var debug: [UInt8] = []
    /// First a GOAWAY with the highest stream ID, and this many milliseconds later the final one.
    public var secondAfter: Int?
    /// The connection is closed after all responses; otherwise it stays open.
    public var closes = true

    /// Creates a GOAWAY as sent by a server that shuts down in order.
    public init() {}
}

/// The changes in a SETTINGS frame.
public struct ScriptedSettings: Equatable, Sendable {
    /// How many streams the client may have open.
    public var streamLimit: Int?
    /// The window size of each stream.
    public var streamWindow: Int?

    /// Creates settings without changes.
    public init() {}
}
