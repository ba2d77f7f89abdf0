internal import TLS

/// What all connections of one simulator share: keys, scripted answers, counts.
///
/// It belongs to one loop, like its connections.
public final class SimulatorService {
    let context: TLSContext
    let keys: [ProviderKey]
    let behaviour: SimulatorBehaviour
    let isDevelopment: Bool
    let firstStreamLimit: Int
    let streamLimit: Int
    let counters: SimulatorCounters
    var attempts = AttemptCounts()

    /// Prepares what connections need.
    public convenience init(_ configuration: SimulatorConfiguration) throws(SimulatorError) {
        try self.init(configuration, counters: SimulatorCounters())
    }

    init(
        _ configuration: SimulatorConfiguration, counters: SimulatorCounters
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
    }

    /// What has been counted so far.
    public var snapshot: SimulatorSnapshot { counters.snapshot }
}
