import Delivery
import Engine
import EventLoop
import Testing

@testable import Bridge

@Suite struct `What the service manager is told` {
    private let board = FigureBoard()

    /// A bridge whose worker may have joined its group, and whose last turn may be long ago.
    private func reading(
        hasJoined: Bool = false, secondsSinceTurn: Int = 0, isStopping: Bool = false
    ) -> BridgeStatus.Reading {
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        figures.hasJoined = hasJoined
        let worker = BridgeStatus.Worker(connector: "orders", number: 0, apps: [], board: board)
        return BridgeStatus.Reading(
            hasStarted: true, isStopping: isStopping,
            workers: [
                BridgeStatus.Reading.Worker(
                    worker: worker, figures: figures, age: .seconds(secondsSinceTurn))
            ])
    }

    @Test func `is once that the bridge is ready`() {
        var due = NoticesDue()
        #expect(due.next(reading()) == [.alive])
        #expect(due.next(reading(hasJoined: true)) == [.alive, .ready])
        #expect(due.next(reading(hasJoined: true)) == [.alive])
        #expect(due.next(reading()) == [.alive])
        #expect(due.next(reading(hasJoined: true)) == [.alive])
    }

    @Test func `is nothing while a worker does not respond`() {
        var due = NoticesDue()
        #expect(due.next(reading(secondsSinceTurn: 31)).isEmpty)
        #expect(due.next(reading(secondsSinceTurn: 30)) == [.alive])
    }

    @Test func `is once that the bridge begins to stop, and still that it responds`() {
        var due = NoticesDue()
        #expect(due.next(reading(isStopping: true)) == [.alive, .stopping])
        #expect(due.next(reading(isStopping: true)) == [.alive])
    }
}
