internal import APNs
internal import Configuration
internal import Delivery
internal import Engine
internal import EventLoop
internal import Kafka
internal import SchemaRegistry
internal import Telemetry

/// Everything needed to start one worker, as often as necessary.
struct WorkerPlan: Sendable {
    let connector: Connector
    let number: Int
    let clusterID: String
    let batching: Batching
    var routes: [APNsRoute]
    /// Where its worker publishes its figures.
    let board: FigureBoard
    /// The labels of events that its metrics have.
    var metricLabels: [String] = []
    /// Where its worker puts finished spans; nil when nothing is traced.
    var spans: SpanQueue?
    /// What looks up schemas for its worker; nil where values are JSON.
    var schemas: SchemaRegistry?
    /// What the workers of the process share.
    var soleRecords = SoleRecordLock()

    /// Runs the worker on its own thread and returns when it has finished.
    func run(
        _ mailbox: Mailbox<WorkerMessage>, logger: Logger,
        events: AsyncStream<WorkerEvent>.Continuation
    ) async -> WorkerEnd {
        var logger = logger
        logger[metadataKey: "connector"] = .string(connector.name)
        if connector.workers > 1 { logger[metadataKey: "worker"] = .integer(Int64(number)) }
        let said = logger
        do throws(KernelError) {
            return try await onOwnThread("\(connector.name)-\(number)") {
                do throws(KafkaFailure) {
                    var worker = try Worker.onLinux(
                        connector, number: number, clusterID: clusterID, batching: batching,
                        routes: routes, mailbox: mailbox, board: board,
                        metricLabels: metricLabels, spans: spans, schemas: schemas,
                        soleRecords: soleRecords, logger: said
                    ) { events.yield($0) }
                    return worker.runOnLinux()
                } catch {
                    var failure = error
                    failure.isFatal = true
                    return .failed(failure, EngineCounters())
                }
            }
        } catch {
            // As one that gets no consumer: it is started again after a while.
            return .failed(KafkaFailure(startingWorker: error), EngineCounters())
        }
    }
}

extension KafkaFailure {
    /// The system lets no worker start now, because it lacks threads, descriptors or memory.
    init(startingWorker error: KernelError) {
        self.init(
            code: "ERRNO_\(error.code)", operation: "start a worker", detail: error.description,
            isFatal: true)
    }
}

/// Runs blocking work on its own thread, so that nothing else waits for it; throws when the system
/// has no thread for it.
func onOwnThread<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable () -> Success
) async throws(KernelError) -> Success {
    let result: Result<Success, KernelError> = await withCheckedContinuation { continuation in
        do throws(KernelError) {
            try LoopThread(name: name) { continuation.resume(returning: .success(work())) }.detach()
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
    return try result.get()
}

/// Runs blocking work that ends by itself on its own thread, so that nothing else waits for it; on
/// this one when the system has no other.
func onThread<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable () -> Success
) async -> Success {
    do throws(KernelError) { return try await onOwnThread(name, work) } catch { return work() }
}

/// Runs blocking work that may throw on its own thread.
func onThread<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws(StartFailure) -> Success
) async -> Result<Success, StartFailure> {
    await onThread(name) { () -> Result<Success, StartFailure> in
        Result { () throws(StartFailure) in try work() }
    }
}
