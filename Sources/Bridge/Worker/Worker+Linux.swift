public import APNs
public import Configuration
public import Delivery
internal import Engine
public import EventLoop
public import Kafka
internal import KafkaLogin
public import Telemetry

/// The production instantiation, named here so that it is specialised here.
extension Worker where Machine == LinuxKernel, Source == Consumer, Sink == Producer {
    /// Joins the connector's group as its worker number `number`, counted from 0, on the calling
    /// thread.
    public static func onLinux(
        _ connector: Connector, number: Int, clusterID: String, batching: Batching,
        routes: [APNsRoute], mailbox: Mailbox<WorkerMessage>, board: FigureBoard?,
        metricLabels: [String] = [], spans: SpanQueue? = nil,
        schemas: (any SchemaSource)? = nil,
        soleRecords: SoleRecordLock = SoleRecordLock(), logger: Logger,
        report: @escaping (WorkerEvent) -> Void
    ) throws(KafkaFailure) -> Self {
        let properties = connector.kafkaProperties
        var producer = try Producer(
            properties: properties, batching: batching, sources: connector.source.topics)
        var consumer = try Consumer(
            properties: properties, group: connector.source.group,
            topics: connector.source.topics.adding(connector.ownTopics),
            start: connector.source.start == .earliest ? .earliest : .latest,
            alwaysFromBeginning: connector.ownTopics,
            instance: properties["group.instance.id"].map { "\($0)-\(number)" })
        (consumer.clearsDescriptor, producer.clearsDescriptor) = (false, false)
        let kernel = try kernel(
            watching: mailbox.descriptor, consumer.descriptor, producer.descriptor)
        var settings = EngineSettings(connector, clusterID: clusterID)
        settings.metricLabels = metricLabels
        #if DEBUG
            settings.fatalKey = ProcessEnvironment.variables["APNS_BRIDGE_FATAL_KEY"]
        #endif
        for number in routes.indices { settings.use(routes[number].credential, onRoute: number) }
        let pools = APNsPools(
            routes, apps: settings.routesOfQueues, firstToken: WorkerToken.connections)
        return Self(
            kernel: kernel, source: consumer, sink: producer, pools: pools, plan: connector.plan,
            settings: settings, mailbox: mailbox, board: board, spans: spans,
            schemas: schemas, soleRecords: soleRecords, logger: logger, report: report)
    }

    /// A kernel whose clock stands still until the first wait: clients of Kafka take a while to
    /// create.
    private static func kernel(
        watching mailbox: Int32, _ source: Int32, _ sink: Int32
    ) throws(KafkaFailure) -> LinuxKernel {
        do throws(KernelError) {
            var kernel = try LinuxKernel(readsClockOncePerWait: true)
            try kernel.watch(mailbox, token: WorkerToken.mailbox)
            try kernel.watch(source, token: WorkerToken.source)
            try kernel.watch(sink, token: WorkerToken.sink)
            return kernel
        } catch {
            throw KafkaFailure(startingWorker: error)
        }
    }

    /// Runs until it is drained, or until Kafka fails for good.
    public mutating func runOnLinux() -> WorkerEnd {
        while phase != .ended {
            turn()
            forwardLibraryLog()
        }
        return end()
    }

    /// Forwards librdkafka's log lines to our log. What calls for action is reported as a failure,
    /// too, so they are details.
    private mutating func forwardLibraryLog() {
        guard phase != .ended else { return }
        while let line = source.nextLog() { log(line) }
        while let line = sink.nextLog() { log(line) }
    }

    private mutating func log(_ line: KafkaLog) {
        guard logger.level <= .debug, libraryLines.isNew(line) else { return }
        logger.debug(
            "librdkafka: \(line.plainMessage)", metadata: ["facility": .string(line.facility)])
    }
}
