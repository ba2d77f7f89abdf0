internal import CLinux

/// The source that the program was built from.
///
/// `make` links it into the program: see `deploy/packaging/revision.sh`.
public struct SourceRevision: Equatable, Sendable {
    /// The commit in hexadecimal digits; `unknown` after a plain `swift build`.
    public let commit: String

    /// What the files were, compared with the commit.
    public let tree: Tree

    /// What the files of a commit can be.
    public enum Tree: String, Sendable {
        /// As committed.
        case clean
        /// Changed, or with new files.
        case changed
        /// Nobody has looked.
        case unknown
    }

    /// The source of this program.
    public static var current: SourceRevision {
        SourceRevision(linked: unsafe String(cString: linux_revision()))
    }

    /// Reads `57ace44b`, `57ace44b+` or `unknown`.
    init(linked text: String) {
        let isChanged = text.hasSuffix("+")
        commit = isChanged ? String(text.dropLast()) : text
        tree = isChanged ? .changed : commit == "unknown" ? .unknown : .clean
    }
}
