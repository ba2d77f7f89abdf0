/// The totals of each connector when they were last looked at.
struct SeenTotals: Sendable {
    private struct Seen {
        /// That of its first worker, which a changed connector keeps; one that was removed and
        /// added again has another one, and counts from zero.
        var board: FigureBoard
        var totals: RunTotals
    }

    private var seen: [String: Seen] = [:]

    /// What was added since the last look at a connector.
    mutating func changes(
        of connector: String, _ rows: [BridgeStatus.Reading.Worker]
    ) -> RunTotals {
        guard let board = rows.first?.worker.board else { return RunTotals() }
        let totals = rows.reduce(into: RunTotals()) { $0.add($1.worker.board.totals) }
        let known = seen[connector].flatMap { $0.board === board ? $0.totals : nil }
        seen[connector] = Seen(board: board, totals: totals)
        return totals.since(known ?? RunTotals())
    }

    /// Forgets connectors that were removed. One that is being started again continues.
    mutating func forgetRemoved(_ reading: BridgeStatus.Reading) {
        let names = Set(
            reading.connectors.map(\.name) + reading.workers.map(\.worker.connector))
        seen = seen.filter { names.contains($0.key) }
    }
}
