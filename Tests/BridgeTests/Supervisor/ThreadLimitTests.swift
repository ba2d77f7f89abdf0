import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Kafka
import Synchronization
import Telemetry
import Testing

@testable import Bridge

/// What still works when the system cannot start another thread.
@Suite struct `Without another thread` {
    @Test func `work that is done side by side is done on this one`() {
        let found = LoopThread.$isLimitReached.withValue(true) {
            Array(0..<100).concurrentMap(maxConcurrency: 16) { $0 * 2 }
        }
        #expect(found == (0..<100).map { $0 * 2 })
    }

    @Test func `a check and a reload are done on this one`() async {
        let found = await LoopThread.$isLimitReached.withValue(true) {
            await onThread("check") { 7 }
        }
        #expect(found == 7)
    }

    @Test func `a worker fails and says which limit to raise, so that it is started again`()
        async throws
    {
        let plan = WorkerPlan(
            connector: try SupervisorStage.connector("orders"), number: 0, clusterID: "c",
            batching: .oneRequest, routes: [], board: FigureBoard())
        let events = AsyncStream.makeStream(of: WorkerEvent.self)
        let end = await LoopThread.$isLimitReached.withValue(true) {
            await plan.run(
                Mailbox(), logger: Logger(label: "test", level: .critical),
                events: events.continuation)
        }
        guard case .failed(let failure, _) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(failure.isFatal)
        #expect(failure.detail.hasPrefix("cannot start a thread: "))
    }

    @Test func `a worker without a descriptor fails and says which limit to raise`() async throws {
        let plan = WorkerPlan(
            connector: try SupervisorStage.connector("orders"), number: 0, clusterID: "c",
            batching: .oneRequest, routes: [], board: FigureBoard())
        let events = AsyncStream.makeStream(of: WorkerEvent.self)
        let mailbox = WakeupDescriptor.$isLimitReached.withValue(true) {
            Mailbox<WorkerMessage>()
        }
        let end = await plan.run(
            mailbox, logger: Logger(label: "test", level: .critical), events: events.continuation)
        guard case .failed(let failure, _) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(failure.isFatal)
        #expect(failure.isAboutResources)
        #expect(failure.detail.hasPrefix("too many open files: raise the limit of "))
    }

    @Test func `pushes go on without traces, and the log says so`() throws {
        let log = Lines()
        let exporter = SpanExporter(
            TracingSettings(url: "http://127.0.0.1:9/", sample: 1), version: "1",
            logger: Logger(label: "test", level: .info, sink: log))
        LoopThread.$isLimitReached.withValue(true) { exporter.start() }
        exporter.stop()
        #expect(log.all.contains { $0.contains("no traces are exported; pushes continue") })
    }
}
