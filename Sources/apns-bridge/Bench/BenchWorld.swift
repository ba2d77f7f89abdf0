internal import APNsSimulator
internal import Arguments
internal import Configuration

/// The Kafka and the APNs of a measurement, and the connector between them.
struct BenchWorld: Sendable {
    let kafka: BenchKafka
    let target: BenchConnector.Target
    let connector: Connector
    /// The IDs of the built-in simulator's channels; empty without broadcasts.
    let channels: [[UInt8]]
    /// The built-in simulator; nil when another one is used.
    private let simulator: SimulatorServer?

    private static let channelCount = 1000

    /// Starts what is embedded, and checks what is not; blocks its thread. The built-in simulator
    /// gets channels for the app of broadcasts.
    static func start(
        _ settings: BenchSettings, _ loaded: Connector, broadcastingApp: String?
    ) throws(BenchFailure) -> BenchWorld {
        let identity = try BenchConnector.identity(settings)
        let (target, simulator) = try target(settings, identity)
        var channels: [[UInt8]] = []
        if let broadcastingApp, let simulator {
            channels = simulator.channels.make(channelCount, for: broadcastingApp)
        }
        do throws(BenchFailure) {
            let kafka = try BenchKafka.prepare(settings, loaded)
            return BenchWorld(
                kafka: kafka, target: target,
                connector: BenchConnector.adapt(loaded, settings, kafka, target),
                channels: channels, simulator: simulator)
        } catch {
            simulator?.stop()
            throw error
        }
    }

    private static func target(
        _ settings: BenchSettings, _ identity: SimulatorIdentity?
    ) throws(BenchFailure) -> (BenchConnector.Target, SimulatorServer?) {
        if let address = settings.endpoint { return (.elsewhere(address, identity), nil) }
        do throws(SimulatorError) {
            let identity = try SimulatorIdentity.generate()
            var configuration = SimulatorConfiguration(identity: identity)
            // Requests that are remembered for a page would cost it time.
            configuration.memory = nil
            // h2load opens streams before it knows a limit.
            if settings.comparesH2Load { configuration.firstStreamLimit = BenchRun.streams }
            var scenario = Scenario.acceptsAll
            scenario.roundTrip = Int(settings.rtt / .milliseconds(1))
            configuration.scenario = scenario
            let simulator = SimulatorServer(configuration)
            let port = try simulator.start()
            return (.builtIn(identity, port: port), simulator)
        } catch {
            throw BenchFailure(
                .unavailable, "cannot start the simulator: \(error.description): try again, or use"
                    + " one that runs with --endpoint")
        }
    }

    /// Stops the simulator and removes the topics that were created; blocks its thread.
    func stop() {
        simulator?.stop()
        kafka.remove()
    }
}
