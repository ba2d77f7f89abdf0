internal import APNs
internal import Configuration
internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// What a supervisor calls that blocks, waits or needs the network; tests replace it.
struct SupervisorParts: Sendable {
    /// The result of a check of Kafka, for each connector.
    typealias KafkaResults = [Result<KafkaCheck.Findings, StartFailure>]

    /// Checks the clusters and topics of connectors.
    var checkKafka: @Sendable ([Connector], TopicCreation?, Logger) -> KafkaResults = {
        KafkaCheck.examine($0, creating: $1, $2)
    }
    /// Checks the connection to APNs for an app.
    var checkAPNs:
        @Sendable (Connector, AppSettings, APNsCredential) throws(StartFailure) -> APNsRoute = {
            connector, app, credential throws(StartFailure) in
            try APNsCheck.route(connector, app, credential)
        }
    /// Runs a worker until it ends.
    var runWorker:
        @Sendable (
            WorkerPlan, Mailbox<WorkerMessage>, Logger, AsyncStream<WorkerEvent>.Continuation
        ) async -> WorkerEnd = { plan, mailbox, logger, events in
            await plan.run(mailbox, logger: logger, events: events)
        }
    /// The monotonic time.
    var now: @Sendable () -> Instant = { MonotonicClock.now }
    /// Waits between attempts.
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
}
