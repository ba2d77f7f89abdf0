internal import Synchronization
internal import TLS

/// What all connections of one simulator share: keys, scripted answers, counts.
///
/// It belongs to one loop, like its connections.
public final class SimulatorService {
    let context: TLSContext
    let keys: [ProviderKey]
    var behaviour: SimulatorBehaviour
    let isDevelopment: Bool
    let firstStreamLimit: Int
    let streamLimit: Int
    let counters: SimulatorCounters
    /// What was judged and shown; nil when nobody is to remember it.
    public let memory: SimulatorMemory?
    var attempts = AttemptCounts()
    private var beginnings = 0

    /// Prepares what connections need.
    public convenience init(_ configuration: SimulatorConfiguration) throws(SimulatorError) {
        try self.init(
            configuration, counters: SimulatorCounters(),
            memory: configuration.memory.map { SimulatorMemory(limits: $0) })
    }

    init(
        _ configuration: SimulatorConfiguration, counters: SimulatorCounters,
        memory: SimulatorMemory?
    ) throws(SimulatorError) {
        do {
            context = try TLSContext.server(
                certificatePEM: configuration.identity.certificatePEM,
                keyPEM: configuration.identity.certificateKeyPEM)
        } catch {
            throw SimulatorError(.identity, "the server's certificate cannot be used: \(error)")
        }
        keys = try [configuration.identity.providerKey()] + configuration.furtherKeys
        behaviour = configuration.behaviour
        isDevelopment = configuration.isDevelopment
        firstStreamLimit = configuration.firstStreamLimit
        streamLimit = configuration.streamLimit
        self.counters = counters
        self.memory = memory
    }

    /// What has been counted so far.
    public var snapshot: SimulatorSnapshot { counters.snapshot }

    /// Forgets the attempts of before the simulator began anew.
    func beginAnewIfTold() {
        guard let told = memory?.beginnings.load(ordering: .relaxed), told != beginnings
        else { return }
        beginnings = told
        attempts = AttemptCounts()
    }
}
