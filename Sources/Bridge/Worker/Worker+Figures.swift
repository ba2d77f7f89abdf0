internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop

/// Publishes a worker's figures.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Publishes the figures, a few times a second and at the end.
    mutating func publishFigures() {
        guard let board else { return }
        let now = engine.now
        guard now >= nextFigures || phase == .ended else { return }
        nextFigures = now + FigureBoard.interval
        board.publish(
            WorkerFigures(
                time: now, hasJoined: hasJoined, isDraining: phase != .running,
                counters: engine.counters, pushes: engine.figures, state: engine.state,
                connections: pools.readyConnections, openRequests: pools.openRequests))
    }
}
