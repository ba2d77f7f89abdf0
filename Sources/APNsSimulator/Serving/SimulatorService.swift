public import Delivery
internal import Encoding
internal import HTTP2
internal import Synchronization
internal import TLS

/// The state shared by all connections of a simulator: keys, scripted responses, counters.
///
/// It belongs to one loop, like its connections.
public final class SimulatorService {
    private let context: TLSContext
    private var faultyContexts: [TLSFault: TLSContext] = [:]
    let identity: SimulatorIdentity
    let keys: [ProviderKey]
    let environment: ProviderKey.Environment
    let firstStreamLimit: Int
    let streamLimit: Int
    let connectionLimit: Int
    let counters: SimulatorCounters
    /// The broadcast channels created by clients.
    let channels: Channels
    /// The recorded requests and devices; nil without a memory.
    public let memory: SimulatorMemory?
    /// How long a client may be silent.
    private(set) var idleLimit: Duration
    private let usualIdleLimit: Int
    private var beginnings = 0
    private var seeds: SeededGenerator
    /// The running scenario.
    var run: ScenarioRun

    /// Creates the shared state.
    public convenience init(_ configuration: SimulatorConfiguration) throws(SimulatorError) {
        let channels = Channels(seed: configuration.seed)
        try self.init(
            configuration, counters: SimulatorCounters(),
            memory: configuration.makeMemory(channels), channels: channels)
    }

    init(
        _ configuration: SimulatorConfiguration, counters: SimulatorCounters,
        memory: SimulatorMemory?, channels: Channels
    ) throws(SimulatorError) {
        do {
            context = try TLSContext.server(
                certificatePEM: configuration.identity.certificatePEM,
                keyPEM: configuration.identity.certificateKeyPEM, requiresProtocol: false,
                clientCertificates: configuration.identity.clientPolicy)
        } catch {
            throw SimulatorError(.identity, "the server's certificate is not usable: \(error)")
        }
        keys = try [configuration.identity.providerKey()] + configuration.furtherKeys
        identity = configuration.identity
        // Other numbers than those of the channels.
        seeds = SeededGenerator(seed: SeededGenerator.mix(configuration.seed &+ 1))
        run = ScenarioRun(configuration.scenario)
        environment = configuration.environment
        firstStreamLimit = configuration.firstStreamLimit
        streamLimit = configuration.streamLimit
        connectionLimit = configuration.connectionLimit
        usualIdleLimit = configuration.idleLimit
        idleLimit = Self.idleLimit(of: configuration.scenario, configuration.idleLimit)
        self.counters = counters
        self.memory = memory
        self.channels = channels
        try prepare(configuration.scenario)
    }

    /// Starts another scenario; open connections join it.
    public func begin(_ scenario: Scenario, at now: Instant) throws(SimulatorError) {
        try prepare(scenario)
        idleLimit = Self.idleLimit(of: scenario, usualIdleLimit)
        run = ScenarioRun(scenario, generation: run.generation + 1, begun: now)
    }

    private static func idleLimit(of scenario: Scenario, _ usual: Int) -> Duration {
        .milliseconds(scenario.settings.idleTimeout ?? usual)
    }

    /// The identifiers of another connection.
    func nextIdentifiers() -> IdentifierSource { IdentifierSource(seed: seeds.next()) }

    /// The settings announced to a new connection.
    var http2Settings: HTTP2ServerSettings {
        let own = run.scenario.settings
        var settings = HTTP2ServerSettings(streamLimit: own.firstStreamLimit ?? firstStreamLimit)
        settings.bodyLimit = own.payloadLimit ?? 5120
        settings.streamWindow = own.streamWindow ?? settings.streamWindow
        settings.headerTableSize = own.headerTableSize ?? settings.headerTableSize
        return settings
    }

    /// The context of sessions, whose handshake may have to fail in a certain way.
    func context(for fault: TLSFault?) -> TLSContext {
        fault.flatMap { faultyContexts[$0] } ?? context
    }

    /// Creates the certificates that a scenario needs, or throws if it cannot.
    private func prepare(_ scenario: Scenario) throws(SimulatorError) {
        for kind in scenario.tlsFaults where faultyContexts[kind] == nil {
            faultyContexts[kind] = try identity.context(for: kind)
        }
    }

    /// The current counters.
    public var snapshot: SimulatorSnapshot { counters.snapshot }

    /// Restarts the scenario if the memory was cleared.
    func beginAnewIfAsked() {
        guard let current = memory?.beginnings.load(ordering: .relaxed), current != beginnings
        else { return }
        beginnings = current
        run = ScenarioRun(run.scenario, generation: run.generation + 1)
    }
}
