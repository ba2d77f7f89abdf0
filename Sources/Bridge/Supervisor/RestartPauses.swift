/// The back-off of workers that failed, independent for each worker.
actor RestartPauses {
    private let sleep: @Sendable (Duration) async -> Void
    private var pauses: [Int: Task<Void, Never>] = [:]
    private var started = 0
    private var isOver = false

    /// Creates pauses that `sleep` implements.
    init(sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }) {
        self.sleep = sleep
    }

    /// The number of waiting workers.
    var count: Int { pauses.count }

    /// Waits for a while, or until ``end()``; afterwards not at all.
    func wait(_ length: Duration) async {
        guard !isOver else { return }
        let sleep = sleep
        let pause = Task { await sleep(length) }
        let number = started
        started += 1
        pauses[number] = pause
        await pause.value
        pauses[number] = nil
    }

    /// Ends every pause at once, including later ones.
    func end() {
        isOver = true
        for pause in pauses.values { pause.cancel() }
    }
}
