internal import Synchronization

/// Collects the additional files that were read for a connector file.
final class ReadFiles: Sendable {
    private let found = Mutex<[String]>([])

    /// The paths in the order they were read, without duplicates.
    var paths: [String] { found.withLock { $0 } }

    func add(_ path: String) {
        found.withLock { if !$0.contains(path) { $0.append(path) } }
    }
}
