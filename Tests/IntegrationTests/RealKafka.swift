import Foundation
import Kafka
import Testing

/// A real Apache Kafka for tests: one node, on loopback, in a folder that is removed afterwards.
///
/// Most tests share one broker for the whole run, ``shared()``, and use topics and groups with
/// fresh names, ``uniqueName(_:)``. Tests that stop or kill a broker start their own, ``start()``.
/// Mark a suite with ``available`` so that it is skipped, by name, where there is no Kafka:
///
///     @Suite(RealKafka.available) struct `A bridge on a real Kafka` { … }
///
/// The environment says where Kafka comes from: `KAFKA_HOME`, a Kafka 4 distribution whose
/// broker is started, or `KAFKA_BOOTSTRAP`, the address of one that runs already and is shared;
/// `KAFKA_HOME` then still serves for the command-line tools.
final class RealKafka: @unchecked Sendable {  // `process` is only touched under `lock`.
    /// Skips a test or a suite where neither variable is set.
    static var available: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(
            if: home != nil || bootstrap != nil,
            "needs a Kafka: set KAFKA_HOME to a Kafka 4 distribution, or KAFKA_BOOTSTRAP")
    }

    /// Skips a test or a suite that needs a broker of its own where `KAFKA_HOME` is not set.
    static var startable: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(
            if: home != nil, "needs a Kafka of its own: set KAFKA_HOME to a Kafka 4 distribution")
    }

    /// The distribution.
    static let home = variable("KAFKA_HOME")
    /// The address of a broker that runs already.
    static let bootstrap = variable("KAFKA_BOOTSTRAP")

    /// The broker of the whole test run; started when it is first asked for.
    static func shared() throws -> RealKafka { try sharedResult.get() }

    private static let sharedResult = Result {
        if let bootstrap { return RealKafka(bootstrapServers: bootstrap) }
        let kafka = try start()
        atexit { RealKafka.sharedEnded() }
        return kafka
    }

    private static func sharedEnded() { try? sharedResult.get().remove() }

    /// Starts a broker of our own and waits until it answers; extra lines go to its properties, and
    /// `listeners` are opened in addition to its plain one. Its process has an environment that is
    /// made for its folder; the value of a variable that is set here, too, is appended.
    static func start(
        listeners: [String] = [], properties extra: [String] = [],
        environment: (URL) throws -> [String: String] = { _ in [:] }
    ) throws -> RealKafka {
        let home = try #require(home, "KAFKA_HOME is not set")
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-bridge-kafka-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let kafka = RealKafka(bootstrapServers: "127.0.0.1:\(try freePort())", folder: folder)
        kafka.environment = try environment(folder)
        try kafka.format(home: home, listeners, extra)
        try kafka.restart()
        return kafka
    }

    /// A name that no other test uses.
    static func uniqueName(_ prefix: String = "test") -> String {
        "\(prefix)-\(UUID().uuidString.lowercased().prefix(8))"
    }

    /// The address to connect to.
    let bootstrapServers: String
    private let folder: URL?
    private var environment: [String: String] = [:]
    private let lock = NSLock()
    private var process: Process?

    private init(bootstrapServers: String, folder: URL? = nil) {
        self.bootstrapServers = bootstrapServers
        self.folder = folder
    }

    deinit { remove() }

    /// What a client needs to reach the broker.
    var properties: KafkaProperties { ["bootstrap.servers": bootstrapServers] }

    /// The process of the broker; nil when it does not run or is not ours.
    var processID: Int32? { lock.withLock { process?.processIdentifier } }

    /// Creates a topic, and waits until its partitions respond.
    ///
    /// Not with the distribution's tool, which takes seconds to start.
    func createTopic(
        _ name: String, partitions: Int = 1, configuration: [String] = []
    ) throws {
        let pairs = configuration.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let topic = NewTopic(
            name, partitions: partitions, replicas: 1,
            settings: Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }))
        let administration = try administration()
        let failures = try administration.create([topic], timeoutMilliseconds: 60_000)
        if let failure = failures[name] { throw failure }
        // The brokers learn of a new topic, and of its leaders, only a moment later. Until then one
        // may still write to an old topic of that name.
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                if try administration.recordCount(of: name) == 0 { return }
                try #require(ContinuousClock.now < end, "the old topic '\(name)' is still there")
                waitBeforeNextLook()
            } catch {
                if ContinuousClock.now > end { throw error }
            }
        }
    }

    /// Deletes a topic.
    func deleteTopic(_ name: String) throws {
        try administration().delete([name], timeoutMilliseconds: 60_000)
    }

    private func administration() throws -> TopicAdministration {
        try TopicAdministration(properties: ["bootstrap.servers": bootstrapServers])
    }

    /// Runs one of the distribution's tools and returns what it printed; throws if it failed.
    @discardableResult
    func tool(_ name: String, _ arguments: [String]) throws -> String {
        let home = try #require(Self.home, "KAFKA_HOME is not set: \(name) is not at hand")
        let process = Self.process("\(home)/bin/\(name)", arguments)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: data, as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw RealKafkaError(description: "\(name) \(arguments) failed:\n\(text)")
        }
        return text
    }

    /// Starts the broker again on its data and waits until it answers.
    func restart() throws {
        let home = try #require(Self.home, "KAFKA_HOME is not set")
        let folder = try #require(folder, "the broker at KAFKA_BOOTSTRAP is not ours to start")
        let process = Self.process(
            "\(home)/bin/kafka-server-start.sh", [folder.appending(path: "server.properties").path],
            environment)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        lock.withLock { self.process = process }
        try waitForStart(output.fileHandleForReading)
    }

    /// Stops the broker as an operator would, and waits for its end.
    func stop() { end(SIGTERM) }

    /// Kills the broker, and waits for its end.
    func kill() { end(SIGKILL) }

    /// Stops the broker and removes its data.
    func remove() {
        kill()
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private func end(_ signal: Int32) {
        guard let process = lock.withLock({ self.process.take() }) else { return }
        _ = Glibc.kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    // MARK: Setting up

    private func format(home: String, _ listeners: [String], _ extra: [String]) throws {
        let folder = try #require(folder)
        let controller = try Self.freePort()
        let addresses = (["PLAINTEXT://\(bootstrapServers)"] + listeners).joined(separator: ",")
        let lines =
            [
                "process.roles=broker,controller", "node.id=1",
                "controller.quorum.bootstrap.servers=127.0.0.1:\(controller)",
                "listeners=\(addresses),CONTROLLER://127.0.0.1:\(controller)",
                "advertised.listeners=\(addresses)",
                "controller.listener.names=CONTROLLER",
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,"
                    + "SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL",
                "inter.broker.listener.name=PLAINTEXT", "log.dirs=\(folder.path)/data",
                "auto.create.topics.enable=false", "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=4", "group.initial.rebalance.delay.ms=0",
                "transaction.state.log.replication.factor=1", "transaction.state.log.min.isr=1",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "group.min.session.timeout.ms=1000", "broker.session.timeout.ms=1500",
                "broker.heartbeat.interval.ms=200", "num.network.threads=2", "num.io.threads=2",
                "log.cleaner.dedupe.buffer.size=4194304",
            ] + extra
        let file = folder.appending(path: "server.properties")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        try tool(
            "kafka-storage.sh",
            ["format", "--standalone", "-t", Self.identity(), "-c", file.path])
    }

    /// What `kafka-storage.sh random-uuid` prints, without starting Java: 16 bytes in the Base64 of
    /// URLs, which must not begin with a dash.
    private static func identity() -> String {
        let bytes = Data((0..<16).map { $0 == 0 ? 1 : UInt8.random(in: 0...255) })
        return String(bytes.base64EncodedString().prefix { $0 != "=" })
            .replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Reads the broker's output until it says that it runs, and keeps reading it afterwards.
    private func waitForStart(_ output: FileHandle) throws {
        var text = ""
        while true {
            let data = output.availableData
            if data.isEmpty {
                throw RealKafkaError(description: "Kafka did not start:\n\(text.suffix(4000))")
            }
            text += String(decoding: data, as: UTF8.self)
            if text.contains("Kafka Server started") { break }
        }
        output.readabilityHandler = { handle in
            if handle.availableData.isEmpty { handle.readabilityHandler = nil }
        }
    }

    private static func process(
        _ path: String, _ arguments: [String], _ more: [String: String] = [:]
    ) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["KAFKA_HEAP_OPTS"] = "-Xmx256m"
        // A broker of a test lives for seconds: a thorough compiler would take more time than it
        // saves.
        environment["KAFKA_OPTS"] = "-XX:TieredStopAtLevel=1" + keptClasses
        process.environment = environment.merging(more) { "\($0) \($1)" }
        return process
    }

    /// What a broker has loaded before, if `make` has kept it: see `kafka-classes.sh`.
    private static let keptClasses: String = {
        let file = URL(filePath: ".build/kafka-classes.jsa").path
        return FileManager.default.fileExists(atPath: file)
            ? " -XX:SharedArchiveFile=\(file)" : ""
    }()

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A port without a listener.
    static func freePort() throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard result else { throw RealKafkaError(description: "no free port on loopback") }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// Why a real Kafka could not be used.
struct RealKafkaError: Error, CustomStringConvertible {
    var description: String
}
