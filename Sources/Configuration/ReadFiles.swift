internal import Synchronization

/// Collects the additional files that were read for a connector file.
final class ReadFiles: Sendable {
    private let found = Mutex<[String]>([])

    /// The paths in the order they were read, without duplicates.
    var paths: [String] { found.withLock { $0 } }

    /// False when there would be more than `limit`.
    @discardableResult
    func add(_ path: String, limit: Int = .max) -> Bool {
        found.withLock {
            if $0.contains(path) { return true }
            guard $0.count < limit else { return false }
            $0.append(path)
            return true
        }
    }
}
