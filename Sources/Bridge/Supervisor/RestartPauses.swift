/// How long workers that failed wait until they are started again, each for itself.
actor RestartPauses {
    private let sleep: @Sendable (Duration) async -> Void
    private var pauses: [Int: Task<Void, Never>] = [:]
    private var started = 0
    private var isOver = false

    /// Prepares pauses that last as long as `sleep`.
    init(sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }) {
        self.sleep = sleep
    }

    /// How many workers wait.
    var count: Int { pauses.count }

    /// Waits for a while, or until ``end()``; after that not at all.
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

    /// Ends every pause, and those that begin later at once.
    func end() {
        isOver = true
        for pause in pauses.values { pause.cancel() }
    }
}
