internal import APNsSimulator
internal import Bridge
internal import Configuration
internal import Delivery
internal import EventLoop
internal import Glibc
internal import Kafka
internal import Synchronization
internal import Telemetry

/// The time after the demonstration: everything keeps running, with its pages, until a signal.
struct DemoStay {
    static let perSecond = 20
    static let devices = 24

    let world: DemoWorld

    /// Runs the connector and publishes events until a signal arrives; a later one exits at once.
    func run() async throws {
        world.simulator.memory?.beginAnew()
        let logger = StandardError.logger(level: .warning)
        let status = BridgeStatus(build: VersionVerb.build)
        let supervisor = Supervisor([world.connector], logger: logger, status: status)
        let endpoint = AdminEndpoint(
            AdminEndpointSettings(host: "127.0.0.1", port: 0), status: status,
            supervisor: supervisor, logger: logger)
        let port = try endpoint.start(SettingLocations(file: "demo"))
        defer { endpoint.stop() }
        let devicePort = try world.simulator.startAdministration()
        Console.output(Self.announcement(status: port, devices: devicePort))

        Signals.watch(Signals.termination)
        let publisher = DemoStayPublisher()
        let properties = world.properties
        let publishing = Task {
            try await blocking("demo") { try publisher.publish(to: properties) }
        }
        let listener = Task {
            var stops = StopSignals()
            for await signal in Signals.received() where stops.isFirst(signal) {
                publisher.stop()
                await supervisor.drain()
            }
        }
        defer { listener.cancel() }
        _ = try await supervisor.run()
        publisher.stop()
        try await publishing.value
    }

    private static func announcement(status: UInt16, devices: UInt16) -> String {
        """

        Everything keeps running, with \(perSecond) events per second. Ctrl-C ends it.
          the bridge's status:      http://127.0.0.1:\(status)/
          the simulator's devices:  http://127.0.0.1:\(devices)/

        """
    }
}

/// Publishes events at an even rate until it is stopped.
private final class DemoStayPublisher: Sendable {
    private let isStopped = Atomic(false)

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Publishes; blocks its thread meanwhile.
    func publish(to properties: KafkaProperties) throws(KafkaFailure) {
        var writer = try RecordWriter(properties: properties)
        var kernel = try LinuxKernel.publisher()
        let pace = EvenPace(start: kernel.now, perSecond: DemoStay.perSecond)
        var number = 0
        while !isStopped.load(ordering: .relaxed) {
            pace.wait(for: number, &kernel)
            try writer.write(
                DemoWorld.source, key: [UInt8]("customer-\(number % DemoStay.devices)".utf8),
                value: DemoEvents.event(
                    number, device: number % DemoStay.devices, now: kernel.wallClock / 1000))
            number += 1
        }
        try writer.flush()
    }
}
