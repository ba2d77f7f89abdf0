internal import EventLoop

/// Runs work that blocks on a thread of its own; throws a `KernelError` when the system has none.
func blocking<Success: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws -> Success
) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
        do throws(KernelError) {
            try LoopThread(name: name) { continuation.resume(with: Result { try work() }) }.detach()
        } catch {
            continuation.resume(throwing: error)
        }
    }
}
