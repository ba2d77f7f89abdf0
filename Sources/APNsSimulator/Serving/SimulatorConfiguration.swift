/// How a simulator is to behave.
public struct SimulatorConfiguration: Sendable {
    /// Its certificate, and the provider key that it knows.
    public var identity: SimulatorIdentity
    /// Provider keys that it knows besides.
    public var furtherKeys: [ProviderKey] = []
    /// Which device tokens are answered otherwise than with 200.
    public var behaviour: SimulatorBehaviour = .builtIn
    /// The development environment: accepted pushes get an `apns-unique-id`.
    public var isDevelopment = false
    /// How much it remembers of what it judged; nil for nothing.
    public var memory: MemoryLimits? = MemoryLimits()
    /// How many streams a connection may open before its first good request.
    public var firstStreamLimit = 1
    /// How many streams a connection may open after it.
    public var streamLimit = 1000

    /// A simulator that behaves as Apple's production does.
    public init(identity: SimulatorIdentity, behaviour: SimulatorBehaviour = .builtIn) {
        self.identity = identity
        self.behaviour = behaviour
    }
}
