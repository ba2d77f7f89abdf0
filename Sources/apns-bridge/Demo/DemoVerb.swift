internal import APNsSimulator
internal import Arguments
internal import Bridge
internal import Engine
internal import Kafka
internal import Telemetry

/// Shows the whole path in one process, and checks that the results add up.
struct DemoVerb: Verb {
    private static let keeps = Flag(
        "keep", help: "Keep everything running, with its pages, until Ctrl-C.")

    static let command = Command(
        "demo",
        abstract: "Shows the whole path in one process: Kafka, the bridge, APNs and back.",
        examples: ["apns-bridge demo", "apns-bridge demo --keep"],
        discussion: """
            Starts an embedded Kafka and the APNs simulator on the loopback interface, publishes \
            \(DemoEvents.count) events at \(DemoPublisher.perSecond) per second, some faulty, \
            and reads back the bridge's results. Leaves no files behind.

            --keep prints the addresses of the bridge's status page and of the simulator's page \
            of devices, and publishes \(DemoStay.perSecond) events per second to \
            \(DemoStay.devices) devices until Ctrl-C.

            Exit codes: 0 the totals match; 1 they do not; 69 it could not start.
            """,
        flags: [keeps])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        await run(keeps: parsed[keeps])
    }

    /// `meddle` is called when everything is delivered and nothing has been read back.
    static func run(
        keeps: Bool = false, meddle: @Sendable (DemoWorld) throws -> Void = { _ in }
    ) async -> ExitCode {
        do {
            let world = try DemoWorld.start()
            defer { world.simulator.stop() }
            try await deliver(world)
            try meddle(world)
            let properties = world.properties
            let evidence = try await blocking("demo") {
                try DemoEvidence.read(properties)
            }
            let check = DemoCheck(evidence)
            Console.output(DemoReport.text(evidence, check))
            if keeps { try await DemoStay(world: world).run() }
            return check.problems.isEmpty ? .success : .failure
        } catch {
            Console.error("error: \(error)")
            return .unavailable
        }
    }

    /// Publishes once the group has assigned the partitions, and drains when everything is
    /// reported.
    private static func deliver(_ world: DemoWorld) async throws {
        let logger = StandardError.logger(level: .warning)
        let supervisor = Supervisor([world.connector], logger: logger)
        let running = Task { try await supervisor.run() }
        var progress = DemoProgress()
        var publishing: Task<Void, any Error>?
        let ticker = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(50))
                await supervisor.requestReports()
            }
        }
        defer { ticker.cancel() }
        for await event in supervisor.workerEvents {
            switch event {
            case .assigned where publishing == nil:
                let properties = world.properties
                publishing = Task {
                    try await blocking("demo") { try DemoPublisher.publish(to: properties) }
                }
            case .report(let counters):
                if progress.show(counters) { await supervisor.drain() }
            case .assigned, .connected: continue
            }
        }
        progress.end()
        try await publishing?.value
        _ = try await running.value
    }
}
