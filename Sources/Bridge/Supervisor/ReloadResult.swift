internal import Configuration

/// What became of a request to reload.
enum ReloadResult: Equatable, Sendable {
    /// What was done for each connector of the old and the new set.
    case done([Change])
    /// A file is wrong, and nothing was changed.
    case refused([Diagnostic])
    /// A reload is in progress.
    case busy
    /// The process still starts, stops, or has no files; the remedy says what works instead.
    case unavailable(String, remedy: String)

    /// True if everything in the files is in effect; nil if they were not looked at.
    var isComplete: Bool? {
        switch self {
        case .done(let changes): changes.allSatisfy(\.problems.isEmpty)
        case .refused: false
        case .busy, .unavailable: nil
        }
    }

    /// True if what ran before continues although the files say something else; nil if they were
    /// not looked at. A new connector that is unavailable does not count: its state reports it.
    var isRefused: Bool? {
        switch self {
        case .done(let changes): changes.contains { $0.kind == .refused }
        case .refused: true
        case .busy, .unavailable: nil
        }
    }

    /// What was done for a connector.
    struct Change: Equatable, Sendable {
        /// The kinds of changes.
        enum Kind: String, CaseIterable, Sendable {
            case added, changed, removed, unchanged
            /// It had failed to start, and runs now or is tried again.
            case retried
            /// It could not be started as its file says now; an earlier one continues.
            case refused
        }

        var connector: String
        var kind: Kind
        /// Why it could not be started.
        var problems: [Diagnostic] = []
        /// True when it is tried again by itself, until `startup_deadline`.
        var isRetrying = false
    }
}
