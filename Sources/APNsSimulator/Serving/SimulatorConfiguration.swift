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
    /// How much it remembers of what it judged; nil for nothing.
    public var memory: MemoryLimits? = MemoryLimits()
    /// How many streams a connection may open before its first good request.
    public var firstStreamLimit = 1
    /// How many streams a connection may open after it.
    public var streamLimit = 1000
    /// How many connections may be open at the same time; one more is broken off.
    public var connectionLimit = 4096

    /// A simulator that behaves as Apple's production does.
    public init(identity: SimulatorIdentity, scenario: Scenario = .builtIn) {
        self.identity = identity
        self.scenario = scenario
    }
}
