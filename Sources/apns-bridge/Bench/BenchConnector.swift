internal import APNsSimulator
internal import Arguments
internal import Configuration
internal import EventLoop
internal import Kafka
internal import Mapping

/// The connector that is measured: the user's or a built-in one, with Kafka, topics and APNs of the
/// measurement.
enum BenchConnector {
    /// Where pushes go.
    enum Target: Sendable {
        /// The built-in simulator.
        case builtIn(SimulatorIdentity, port: UInt16)
        /// A simulator elsewhere; its identity is nil when the connector has its own credentials.
        case elsewhere(BenchSettings.Address, SimulatorIdentity?)
    }

    /// Everything but Kafka and APNs, which are replaced.
    private static let builtIn = """
        source: {topics: [events], group: bench}
        kafka: {bootstrap.servers: "localhost:9092"}
        apns:
          environment: production
          key: ${file:AuthKey.p8}
          key_id: \(SimulatorIdentity.defaultKeyID)
          team_id: \(SimulatorIdentity.defaultTeamID)
          bundle_id: \(SimulatorIdentity.defaultBundleID)
        results: {outcomes: outcomes, unregistered: unregistered, dead_letter: dead-letter}
        """

    /// Loads the file, of which only what is used must be complete.
    static func load(_ settings: BenchSettings) throws(BenchFailure) -> Connector {
        guard let path = settings.connector else {
            do throws(BuiltInConnector.Failure) {
                return recordTimes(
                    try BuiltInConnector.load(builtIn, named: "bench.yaml", mode: .inspect))
            } catch {
                throw BenchFailure(.software, error.description)
            }
        }
        let usesCredentials = settings.endpoint != nil && settings.state == nil
        let loaded = ConnectorFile.load(
            path: path, environment: ProcessEnvironment.variables,
            mode: usesCredentials
                ? .run : settings.bootstrap == nil ? .inspect : .inspectWithKafka)
        guard let connector = loaded.connector else {
            let errors = loaded.diagnostics.filter { $0.severity == .error }
            throw BenchFailure(
                FileSystem.exists(path) ? .configuration : .noInput, report: errors)
        }
        return recordTimes(connector)
    }

    /// The event is the same for all records; only their own times show latencies.
    private static func recordTimes(_ loaded: Connector) -> Connector {
        var connector = loaded
        connector.plan = loaded.plan.withRecordTimes
        return connector
    }

    /// The identity of a simulator elsewhere; nil when the connector's own credentials are used.
    static func identity(_ settings: BenchSettings) throws(BenchFailure) -> SimulatorIdentity? {
        guard settings.endpoint != nil, settings.connector == nil || settings.state != nil else {
            return nil
        }
        do throws(SimulatorError) {
            let folder = try SimulatorOptions.folder(settings.state)
            guard FileSystem.exists("\(folder)/\(SimulatorIdentity.authorityFile)") else {
                throw SimulatorError(
                    .keys, "\(folder) is not the state folder of a simulator: pass the one of the"
                        + " simulator at --endpoint with --state, or a connector file with its own"
                        + " credentials")
            }
            return try SimulatorIdentity.kept(in: folder)
        } catch {
            throw BenchFailure(.noInput, error.description)
        }
    }

    /// The connector as it is measured. Its name gives the workers' threads theirs.
    static func adapt(
        _ loaded: Connector, _ settings: BenchSettings, _ kafka: BenchKafka, _ target: Target
    ) -> Connector {
        var connector = loaded
        connector.name = BenchCosts.connector
        connector.source.topics = [kafka.events]
        connector.source.group = kafka.prefix
        connector.source.start = .earliest
        connector.kafka = kafka.properties.all.map { ($0.name, $0.value) }
        connector.results.outcomes = kafka.outcomes
        connector.results.unregistered = kafka.unregistered
        connector.results.deadLetter = kafka.deadLetter
        connector.results.retry = nil
        connector.source.replay = nil
        connector.startupDeadline = .seconds(5)
        connector.workers = settings.workers ?? loaded.workers
        if let count = settings.connections { connector.apns.connections = count...count }
        for index in connector.apns.apps.indices { redirect(&connector.apns.apps[index], target) }
        return connector
    }

    private static func redirect(_ app: inout AppSettings, _ target: Target) {
        switch target {
        case .builtIn(let identity, let port):
            use(identity, in: &app, host: "localhost", port: port)
        case .elsewhere(let address, let identity?):
            use(identity, in: &app, host: address.host, port: address.port)
        case .elsewhere(let address, nil):
            app.endpoint.host = address.host
            app.endpoint.port = address.port
            app.endpoint.isCustom = true
        }
    }

    private static func use(
        _ identity: SimulatorIdentity, in app: inout AppSettings, host: String, port: UInt16
    ) {
        app.endpoint = EndpointSettings(
            host: host, port: port, trustRoots: .pem(identity.authorityPEM), isCustom: true)
        app.credential = .key(
            identity.authenticationKey, keyID: identity.keyID, teamID: identity.teamID)
    }
}
