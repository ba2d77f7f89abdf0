import Testing

@testable import Bridge

@Suite struct `The pause before a failed worker is restarted` {
    /// Pauses of a minute last until they are cancelled, all others end at once.
    private let pauses = RestartPauses { length in
        guard length == .seconds(60) else { return }
        let (stream, _) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
    }

    private func worker() async -> Task<Void, Never> {
        let before = await pauses.count
        let worker = Task { await pauses.wait(.seconds(60)) }
        while await pauses.count == before { await Task.yield() }
        return worker
    }

    @Test func `ends without ending those of other workers`() async {
        let other = await worker()
        await pauses.wait(.seconds(1))
        #expect(await pauses.count == 1)
        await pauses.end()
        await other.value
    }

    @Test func `ends for all workers at once when the process stops`() async {
        let workers = [await worker(), await worker()]
        await pauses.end()
        for worker in workers { await worker.value }
        #expect(await pauses.count == 0)
    }

    @Test func `does not begin once the process stops`() async {
        await pauses.end()
        await pauses.wait(.seconds(60))
        #expect(await pauses.count == 0)
    }
}
