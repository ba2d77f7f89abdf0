import Delivery
import Engine
import EventLoop
import Testing

@testable import Bridge

@Suite struct `What the service manager is notified of` {
    private typealias State = BridgeStatus.Connector.State

    /// A bridge with connectors in these states, of which the first has a worker that may have
    /// joined its group, and whose last turn may be long ago.
    private func reading(
        _ states: State..., hasStarted: Bool = true, hasJoined: Bool = false,
        secondsSinceTurn: Int = 0, isStopping: Bool = false
    ) -> BridgeStatus.Reading {
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        figures.hasJoined = hasJoined
        let worker = BridgeStatus.Worker(
            connector: "orders", number: 0, apps: [], board: FigureBoard())
        return BridgeStatus.Reading(
            hasStarted: hasStarted, isStopping: isStopping,
            workers: [
                BridgeStatus.Reading.Worker(
                    worker: worker, figures: figures, age: .seconds(secondsSinceTurn))
            ],
            connectors: states.map { BridgeStatus.Connector(name: "orders", state: $0) })
    }

    @Test func `is once that the connectors run, whether or not a worker has joined`() {
        var due = NoticesDue()
        #expect(due.next(reading(.running)) == [.alive, .ready])
        #expect(due.next(reading(.running, hasJoined: true)) == [.alive])
        #expect(due.next(reading(.running)) == [.alive])
        #expect(due.next(reading(.running, .starting)) == [.alive], "after a reload")
        #expect(due.next(reading(.running)) == [.alive])
    }

    @Test func `is that more time is needed, while a connector is checked`() {
        var due = NoticesDue()
        #expect(due.next(reading(hasStarted: false)) == [.alive, .starting])
        #expect(due.next(reading(.running, .starting)) == [.alive, .starting])
        #expect(due.next(reading(.running, .starting, secondsSinceTurn: 31)).isEmpty)
        #expect(due.next(reading(.running, .failed)) == [.alive, .ready], "one is enough")
    }

    @Test func `is not that the connectors run when none does`() {
        var due = NoticesDue()
        #expect(!due.next(reading(.failed, .failed)).contains(.ready))
    }

    @Test func `is that the connectors run while one of them cannot join its group`() async throws {
        let stage = SupervisorStage()
        stage.makePausesLong()
        let supervisor = stage.supervisor([
            try SupervisorStage.connector("orders"), try SupervisorStage.connector("pay"),
        ])
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait(for: "start pay/1")
        stage.fail("pay")
        await stage.wait { stage.isInPause }
        let reading = stage.status.read()
        #expect(!reading.isReady, "a worker is in its back-off")
        var due = NoticesDue()
        #expect(due.next(reading).contains(.ready))
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `is nothing while a worker does not respond`() {
        var due = NoticesDue()
        #expect(due.next(reading(.running)) == [.alive, .ready])
        #expect(due.next(reading(.running, secondsSinceTurn: 31)).isEmpty)
        #expect(due.next(reading(.running, secondsSinceTurn: 30)) == [.alive])
    }

    @Test func `is once that the bridge begins to stop, and still that it responds`() {
        var due = NoticesDue()
        #expect(due.next(reading(.running, isStopping: true)) == [.alive, .stopping])
        #expect(due.next(reading(.running, isStopping: true)) == [.alive])
    }
}
