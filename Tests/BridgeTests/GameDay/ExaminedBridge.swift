import APNsSimulator
import BridgeSamples
import Configuration
import EventLoop
import Kafka
import Synchronization
import TLS

@testable import Bridge

/// A connector with its Kafka and its APNs, of which `doctor` finds nothing wrong until a test
/// breaks something.
final class ExaminedBridge {
    var connector: Connector
    /// The limits of the process.
    var limits = ProcessLimits(openFiles: nil, memory: nil)
    /// What is wrong with the connector's file.
    var problems: [Diagnostic] = []
    /// How APNs behaves.
    var scenario = ""
    /// How long one check of Kafka may take.
    var kafkaTimeout = Duration.seconds(15)
    /// How long one check of APNs may take.
    var apnsTimeout = Duration.seconds(15)
    let cluster: EmbeddedCluster
    private let clients: CertificateAuthority

    init() throws {
        cluster = try EmbeddedCluster()
        clients = try CertificateAuthority.generate(name: "Clients")
        connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.kafka = [("bootstrap.servers", cluster.bootstrapServers)]
        for topic in connector.source.topicNames + connector.results.topics {
            try cluster.createTopic(topic, partitions: 1)
        }
    }

    /// Gives the connector a client certificate that is valid for so many hours.
    func useCertificate(hours: Int) throws {
        let issued = try clients.issueClient(
            bundleID: "com.example.shop", validFor: hours * 3600)
        connector.apns.apps[0].credential = .certificate(
            try ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM))
    }

    /// No broker coordinates the group.
    func loseCoordinator() {
        cluster.failRequests(api: 10, codes: Array(repeating: 15, count: 10_000))
        // The other checks must end in time also on a slow machine.
        kafkaTimeout = .seconds(10)
    }

    /// All brokers refuse connections.
    func loseKafka() { cluster.setBrokerDown(1) }

    /// What all checks find, in the order of the verb.
    func findings() async throws -> [DoctorFinding] {
        var identity = try SimulatorIdentity.generate()
        if case .certificate = connector.apns.apps[0].credential {
            identity.clientAuthorityPEM = clients.certificatePEM
        }
        let behaviour =
            scenario.isEmpty
            ? .builtIn : try Scenario.parse(Array(scenario.utf8), file: "scenario.yaml")
        let simulator = SimulatorServer(
            SimulatorConfiguration(identity: identity, scenario: behaviour))
        let port = try simulator.start()
        defer { simulator.stop() }
        if !connector.apns.apps[0].endpoint.isCustom {
            connector.apns.apps[0].endpoint = EndpointSettings(
                host: "localhost", port: port, trustRoots: .pem(identity.authorityPEM),
                isCustom: true)
        }
        let found = Findings()
        for problem in problems { found.add(DoctorFinding(nil, "connector file", problem)) }
        for finding in Doctor.examineProcess(of: [connector], limits: limits) {
            found.add(finding)
        }
        await Doctor.examine(connector, kafka: kafkaTimeout, apns: apnsTimeout) {
            found.add($0)
        }
        return found.all
    }
}

/// Collects findings from the thread that examines.
final class Findings: Sendable {
    private let state = Mutex<[DoctorFinding]>([])
    var all: [DoctorFinding] { state.withLock { $0 } }
    func add(_ finding: DoctorFinding) { state.withLock { $0.append(finding) } }
}
