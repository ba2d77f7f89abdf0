internal import EventLoop

/// The configuration of a simulator.
public struct SimulatorConfiguration: Sendable {
    /// Its certificate and its provider key.
    public var identity: SimulatorIdentity
    /// Additional provider keys.
    public var furtherKeys: [ProviderKey] = []
    /// Its deviations from judging.
    public var scenario: Scenario = .builtIn
    /// True for the development environment: accepted pushes get an `apns-unique-id`.
    public var isDevelopment = false
    /// Determines the identifiers that it chooses: of channels, `apns-unique-id`s, and the
    /// `apns-id`s of requests without one. Random unless it is set.
    public var seed: UInt64 = .random(in: 0 ... .max)
    /// The current time for queries about devices, in milliseconds since 1970.
    ///
    /// It must be the clock by which requests are judged; otherwise a push might be expired for one
    /// but not for the other.
    public var clock: @Sendable () -> Int64 = { WallClock.milliseconds }
    /// The texts of apps by their keys, for payloads with a `loc-key`.
    public var strings = LocalizedStrings()
    /// The limits of its memory; nil for no memory.
    public var memory: MemoryLimits? = MemoryLimits()
    /// How many streams a connection may open before its first valid request.
    public var firstStreamLimit = 1
    /// How many streams a connection may open afterwards.
    public var streamLimit = 1000
    /// How long a client may be silent before it gets a GOAWAY, in milliseconds.
    ///
    /// Apple does not document a limit, and recommends a PING after an hour: a client that sends it
    /// is never idle.
    public var idleLimit = 90 * 60 * 1000
    /// How many connections may be open at a time; further ones are reset.
    public var connectionLimit = 4096

    /// The APNs environment that it simulates.
    var environment: ProviderKey.Environment { isDevelopment ? .development : .production }

    /// Creates the memory; nil for none.
    func makeMemory(_ channels: Channels) -> SimulatorMemory? {
        memory.map {
            SimulatorMemory(limits: $0, clock: clock, channels: channels, strings: strings)
        }
    }

    /// Creates a configuration that behaves like Apple's production environment.
    public init(identity: SimulatorIdentity, scenario: Scenario = .builtIn) {
        self.identity = identity
        self.scenario = scenario
    }
}
