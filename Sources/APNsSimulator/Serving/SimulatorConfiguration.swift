internal import EventLoop

/// How a simulator is to behave.
public struct SimulatorConfiguration: Sendable {
    /// Its certificate, and the provider key that it knows.
    public var identity: SimulatorIdentity
    /// Provider keys that it knows besides.
    public var furtherKeys: [ProviderKey] = []
    /// What it does besides judging.
    public var scenario: Scenario = .builtIn
    /// The development environment: accepted pushes get an `apns-unique-id`.
    public var isDevelopment = false
    /// What time it is for whoever asks what devices show, in milliseconds since 1970.
    ///
    /// It must be the clock by which requests are judged, or a push would have expired for one
    /// and not for the other.
    public var clock: @Sendable () -> Int64 = { WallClock.milliseconds }
    /// How much it remembers of what it judged; nil for nothing.
    public var memory: MemoryLimits? = MemoryLimits()
    /// How many streams a connection may open before its first good request.
    public var firstStreamLimit = 1
    /// How many streams a connection may open after it.
    public var streamLimit = 1000
    /// How long a client may say nothing until it is told to go, in milliseconds.
    ///
    /// Apple names no number, and asks for a PING after an hour: who does so is never idle.
    public var idleLimit = 90 * 60 * 1000
    /// How many connections may be open at the same time; one more is broken off.
    public var connectionLimit = 4096

    /// Which of Apple's two environments it is.
    var environment: ProviderKey.Environment { isDevelopment ? .development : .production }

    /// What it is to remember; nil for nothing.
    func makeMemory(_ channels: Channels) -> SimulatorMemory? {
        memory.map { SimulatorMemory(limits: $0, clock: clock, channels: channels) }
    }

    /// A simulator that behaves as Apple's production does.
    public init(identity: SimulatorIdentity, scenario: Scenario = .builtIn) {
        self.identity = identity
        self.scenario = scenario
    }
}
