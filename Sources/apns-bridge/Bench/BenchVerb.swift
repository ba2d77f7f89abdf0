internal import APNsSimulator
internal import Arguments
internal import Configuration
internal import EventLoop
internal import Glibc
internal import Kafka

/// Measures a bridge on this machine.
struct BenchVerb: Verb {
    static let command = Command(
        "bench",
        abstract: "Measures rate, processor time, memory and latency of a bridge on this machine.",
        examples: [
            "apns-bridge bench",
            "apns-bridge bench connectors/orders.yaml --bootstrap localhost:9092",
            "apns-bridge bench --compare h2load --json",
        ],
        discussion: """
            Publishes a backlog of events with made-up device tokens, lets a bridge deliver it, \
            and then delivers events at an even rate. Kafka and APNs are the embedded ones unless \
            --bootstrap and --endpoint name others; the embedded Kafka holds only part of a \
            large backlog, and is refilled meanwhile. With --bootstrap, topics with names of \
            their own are created, and deleted at the end.

            Of a connector file everything is used but its topics and group, the address of Kafka, \
            and, for a simulator, endpoint and credentials. The event is NAME.example.json next to \
            NAME.yaml, or --event; its device tokens are replaced, and the channels of broadcasts \
            by 1,000 of the built-in simulator. One at --endpoint needs the event's own channel.

            Processor time is that of the workers' threads and librdkafka's. What is marked as \
            apart belongs to the built-in simulator, and to the embedded Kafka, the publisher and \
            the measurement. The article Performance explains the report.

            Exit codes: 0 measured; 1 the rate could not be held, or h2load failed; 65 the event \
            yields no push; 66 no such file; 69 Kafka, endpoint or h2load unavailable; 78 \
            configuration, or a topic that is not empty.
            """,
        options: BenchOptions.all, flags: [BenchOptions.json],
        arguments: [BenchOptions.connector])

    static let signals = Signals.termination

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        do {
            let settings = try BenchSettings(parsed)
            let result = try await measure(settings)
            switch parsed[BenchOptions.json] ? .json : parsed[OutputFormat.option] {
            case .text: Console.output(BenchText(result).text)
            case .json: Console.output(BenchJSON.bytes(result))
            }
            if let failure = result.failure { throw failure }
            return .success
        } catch let failure as BenchFailure {
            Console.error(failure.description)
            return failure.code
        } catch {
            Console.error("error: \(error)")
            return .software
        }
    }

    private static func measure(_ settings: BenchSettings) async throws -> BenchResult {
        let flow = BenchFlow()
        let listener = Task { await listen(flow) }
        defer { listener.cancel() }
        if settings.comparesH2Load { try H2Load.check() }
        let loaded = try BenchConnector.load(settings)
        let checked = try BenchSource(settings, loaded)
        let world = try await blocking("prepare") {
            try BenchWorld.start(settings, loaded, broadcastingApp: checked.broadcastingApp)
        }
        let result: BenchResult
        do {
            let source = try BenchSource(settings, loaded, channels: world.channels)
            result = try await measure(settings, world, source, flow)
        } catch {
            await stop(world)
            throw error
        }
        await stop(world)
        return result
    }

    private static func measure(
        _ settings: BenchSettings, _ world: BenchWorld, _ source: BenchSource, _ flow: BenchFlow
    ) async throws -> BenchResult {
        let (kafka, connector) = (world.kafka, world.connector)
        let publisher = BenchPublisher(
            events: source.events, topic: kafka.events, properties: kafka.properties,
            capacity: BenchPublisher.capacity(
                eventBytes: source.events.size, partitions: kafka.partitions,
                isEmbedded: kafka.cluster != nil),
            flow: flow)
        var run = BenchRun(settings, connector, source, publisher, partitions: kafka.partitions)
        let (backlog, paced) = try await run.run()
        let setting = BenchResult.Setting(
            connector: settings.connector ?? "built-in", kafka: settings.bootstrap,
            partitions: kafka.partitions, endpoint: settings.endpoint?.text,
            rtt: Int(settings.rtt / .milliseconds(1)), workers: connector.workers,
            connections: backlog.connections,
            events: settings.events, eventBytes: source.events.size,
            pushesPerEvent: source.pushesPerEvent, processors: BenchUsage.processors)
        var result = BenchResult(setting: setting, backlog: backlog, paced: paced)
        if settings.comparesH2Load {
            result.h2load = try await compare(result, settings, world, source)
        }
        return result
    }

    /// Lets h2load send as many requests on as many connections, as many of them at a time.
    private static func compare(
        _ result: BenchResult, _ settings: BenchSettings, _ world: BenchWorld,
        _ source: BenchSource
    ) async throws -> H2LoadResult? {
        guard case .builtIn(let identity, let port) = world.target else { return nil }
        let connector = world.connector
        let connections = max(1, result.setting.connections)
        let inFlight = connector.workers * connector.delivery.maxInFlight
        let streams = min(
            connector.apns.maxStreams ?? BenchRun.streams, BenchRun.streams,
            max(1, inFlight / connections))
        let count = max(connections, settings.events * source.pushesPerEvent)
        return try await blocking("h2load") {
            try H2Load.measure(
                source.request, count: count, connections: connections, streams: streams,
                identity: identity, port: port)
        }
    }

    private static func stop(_ world: BenchWorld) async {
        try? await blocking("clean-up") { world.stop() }
    }

    /// The first signal ends the measurement and removes what was created, a later one exits.
    private static func listen(_ flow: BenchFlow) async {
        var stops = StopSignals()
        for await signal in Signals.received()
        where signals.contains(signal) && stops.isFirst(signal) {
            flow.stop(signal: signal)
        }
    }
}
