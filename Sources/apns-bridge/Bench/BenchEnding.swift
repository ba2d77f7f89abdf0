internal import Arguments
internal import Bridge
internal import Configuration
internal import Engine
internal import Synchronization

/// Notices that a bridge has ended although nobody asked it to.
final class BenchEnding: Sendable {
    private let failure = Mutex<BenchFailure?>(nil)

    /// Watches a bridge.
    init(_ running: Task<EngineCounters, any Error>) {
        Task {
            do {
                _ = try await running.value
                set(BenchFailure(.tryAgain, "the bridge ended early: try again"))
            } catch let error as StartFailure {
                set(Self.message(for: error))
            } catch {
                set(BenchFailure(.software, "\(error)"))
            }
        }
    }

    /// Throws if it has ended.
    func check() throws(BenchFailure) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func set(_ failure: BenchFailure) { self.failure.withLock { $0 = failure } }

    /// The first cause in one line, with the option instead of the setting.
    static func message(for failure: StartFailure) -> BenchFailure {
        let code: ExitCode = failure.kind == .configuration ? .configuration : .unavailable
        guard let first = failure.diagnostics.first else {
            return BenchFailure(code, "the bridge cannot be started")
        }
        let remedy = first.remedy.map { ": \($0)" } ?? ""
        return BenchFailure(
            code, first.message + remedy.replacing("'endpoint'", with: "--endpoint"))
    }
}
