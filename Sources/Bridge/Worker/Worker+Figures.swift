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
        let lag = lag()
        board.publish(
            WorkerFigures(
                time: now, hasJoined: hasJoined, awaitsAssignment: awaitsAssignment,
                isDraining: phase != .running,
                counters: engine.counters, pushes: engine.figures, state: engine.state,
                connections: pools.readyConnections, openRequests: pools.openRequests,
                lag: lag, outage: source.outage))
    }
    /// How many offsets the group is behind in its partitions; nil while that is not known.
    mutating func lag() -> Int64? { phase == .ended ? nil : Self.lag(&engine, &source) }

    private static func lag(_ engine: inout Engine, _ source: inout Source) -> Int64? {
        engine.lag { source.end(of: $0) }
    }
}
