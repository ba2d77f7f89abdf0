import Delivery
import Engine
import EventLoop
import Foundation
import Synchronization
import Testing

@testable import Bridge

@Suite struct `The status of a bridge` {
    private final class Hand: Sendable {
        let seconds = Atomic(1)
        var now: Instant { .distantPast + .seconds(seconds.load(ordering: .relaxed)) }
    }

    private let hand = Hand()
    private let board = FigureBoard()
    private let status: BridgeStatus

    init() {
        status = BridgeStatus { [hand] in hand.now }
    }

    private func start(reportsEmptyAssignments: Bool = true) {
        pass(seconds: 1000)
        status.started([
            BridgeStatus.Connector(
                name: "orders",
                workers: [
                    BridgeStatus.Worker(
                        connector: "orders", number: 0, apps: ["shop"], board: board,
                        reportsEmptyAssignments: reportsEmptyAssignments)
                ])
        ])
    }

    private func publish(
        hasJoined: Bool = true, connections: Int = 4, suspended: [String] = []
    ) {
        var figures = WorkerFigures(
            time: hand.now, pushes: PushFigures(apps: 1))
        figures.hasJoined = hasJoined
        figures.connections = connections
        figures.state.suspendedApps = suspended.map { .init($0) }
        board.publish(figures)
    }

    private func pass(seconds: Int) {
        hand.seconds.add(seconds, ordering: .relaxed)
    }

    @Test func `is healthy and not ready before anything is checked`() {
        #expect(status.read().isHealthy)
        #expect(!status.read().isReady)
    }

    @Test func `is ready while no topic matches a pattern, and says so`() {
        start()
        var figures = WorkerFigures(
            time: hand.now, hasJoined: true, awaitsTopics: true, pushes: PushFigures(apps: 1))
        figures.connections = 4
        board.publish(figures)
        #expect(status.read().isReady)
        #expect(
            String(decoding: status.read().json, as: UTF8.self).contains("\"awaits_topics\":true"))
    }

    @Test func `is ready when every worker has its assignment`() {
        start()
        #expect(!status.read().isReady)
        publish(hasJoined: false)
        #expect(!status.read().isReady)
        publish()
        #expect(status.read().isReady)
        status.stopping()
        #expect(!status.read().isReady)
    }

    private func publish(waitingFor seconds: Int, hadSome: Bool, outage: KafkaOutage? = nil) {
        var figures = WorkerFigures(
            time: hand.now, hasJoined: hadSome, pushes: PushFigures(apps: 1))
        figures.awaitsAssignmentSince = hand.now - .seconds(Int64(seconds))
        figures.connections = 1
        figures.outage = outage
        board.publish(figures)
    }

    @Test func `has a problem when the group has assigned nothing for a minute`() throws {
        start()
        publish(waitingFor: 59, hadSome: false)
        #expect(status.read().problems == [] && !status.read().isReady)
        pass(seconds: 1)
        let problem = try #require(status.read().problems.first)
        #expect(problem.kind == .notAssigned && problem.isError && problem.seconds == 60)
        #expect(problem.workers == [0] && problem.remedy.hasPrefix("Check that all brokers run"))
        #expect(
            status.read().degradations == ["orders/0: the group has assigned no partitions"])
        #expect(status.read().isHealthy)
        publish()
        #expect(status.read().problems == [] && status.read().isReady)
    }

    @Test func `stays ready in a rebalance, and not when lost partitions do not come back`() {
        start()
        publish(waitingFor: 59, hadSome: true)
        #expect(status.read().isReady)
        pass(seconds: 1)
        #expect(!status.read().isReady)
        #expect(status.read().problems.map(\.kind) == [.notAssigned])
    }

    @Test func `does not take an empty assignment that is not reported for a fault`() {
        start(reportsEmptyAssignments: false)
        publish(waitingFor: 600, hadSome: false)
        #expect(status.read().problems == [])
        #expect(!BridgeMetrics(status.read()).text.contains("apns_bridge_worker_assigned{"))
        publish(waitingFor: 600, hadSome: true)
        #expect(status.read().problems == [] && status.read().isReady)
        board.clear()
        start()
        publish(waitingFor: 600, hadSome: true)
        #expect(BridgeMetrics(status.read()).text.contains("apns_bridge_worker_assigned{"))
    }

    @Test func `distinguishes a group that assigns nothing from an outage of Kafka`() {
        start()
        publish(
            waitingFor: 300, hadSome: true, outage: KafkaOutage(brokers: 3, detail: "refused"))
        #expect(status.read().problems.map(\.kind) == [.kafkaUnreachable])
        #expect(!status.read().isReady)
        // Kafka is back, and the group needs a moment.
        var figures = WorkerFigures(
            time: hand.now, hasJoined: true, pushes: PushFigures(apps: 1))
        figures.awaitsAssignmentSince = hand.now - .seconds(300)
        figures.lastOutage = hand.now - .seconds(59)
        figures.connections = 1
        board.publish(figures)
        #expect(status.read().problems == [])
        pass(seconds: 1)
        #expect(status.read().problems.map(\.kind) == [.notAssigned])
    }

    @Test func `has the figures of the workers that run`() {
        #expect(status.figures.isEmpty)
        start()
        #expect(status.figures.isEmpty)
        publish(connections: 3)
        #expect(status.figures.map(\.connections) == [3])
    }

    @Test func `is unhealthy only when a turn takes longer than 30 seconds`() {
        start()
        publish()
        pass(seconds: 30)
        #expect(status.read().isHealthy)
        pass(seconds: 1)
        #expect(!status.read().isHealthy)
        #expect(status.read().degradations.contains("orders/0: not responding"))
    }

    @Test func `is healthy while a failed worker waits to be restarted`() {
        start()
        publish()
        board.clear()
        pass(seconds: 60)
        #expect(status.read().isHealthy)
        #expect(!status.read().isReady)
        #expect(status.read().degradations == ["orders/0: not running"])
    }

    @Test func `is degraded, healthy and ready while APNs is unreachable or rejects an app`() {
        start()
        publish(connections: 0, suspended: ["shop"])
        let reading = status.read()
        #expect(reading.isHealthy && reading.isReady)
        #expect(
            reading.degradations == [
                "orders/0: no connection to APNs", "orders/0: sending suspended for shop",
            ])
    }

    @Test func `reads the files of its control group once a second, however often it is asked`() {
        let (hand, asked) = (Hand(), Hand())
        let machine = BridgeStatus.Machine(memory: {
            asked.seconds.add(1, ordering: .relaxed)
            return ProcessMemory(resident: 1, limit: nil)
        })
        let status = BridgeStatus(machine: machine) { hand.now }
        for _ in 0..<3 { _ = status.read() }
        #expect(asked.seconds.load(ordering: .relaxed) == 2)
        hand.seconds.add(1, ordering: .relaxed)
        #expect(status.read().memory.resident == 1)
        #expect(asked.seconds.load(ordering: .relaxed) == 3)
    }

    @Test func `is one JSON object`() throws {
        start()
        publish()
        let object = try JSONSerialization.jsonObject(with: Data(status.read().json))
        let read = try #require(object as? [String: Any])
        #expect(read["ready"] as? Bool == true)
        let workers = try #require(read["workers"] as? [[String: Any]])
        #expect(workers.first?["connector"] as? String == "orders")
        #expect(workers.first?["connections"] as? Int == 4)
    }
}
