internal import Synchronization

/// Collects the files beside a connector file that were read for it.
final class ReadFiles: Sendable {
    private let found = Mutex<[String]>([])

    /// The paths, in the order in which they were read, each once.
    var paths: [String] { found.withLock { $0 } }

    func add(_ path: String) {
        found.withLock { if !$0.contains(path) { $0.append(path) } }
    }
}
