internal import EventLoop

/// Runs work that blocks on a thread of its own.
func blocking<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws -> Success
) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
        LoopThread(name: name) { continuation.resume(with: Result { try work() }) }.detach()
    }
}
