public import Configuration

/// Why a connector was not started: what is wrong and where, and whether waiting may help.
public struct StartFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is at fault.
    public enum Kind: Sendable {
        /// The connector file or the cluster's topics must be changed.
        case configuration
        /// Kafka or APNs cannot be reached now.
        case unavailable
    }

    /// What is at fault.
    public var kind: Kind
    /// What is wrong, where, and what to do.
    public var diagnostics: [Diagnostic]

    /// True when it may pass without anyone doing anything, so that it is worth trying again.
    var mayPass = false

    /// Describes a failure.
    public init(_ kind: Kind, _ diagnostics: Diagnostic...) {
        self.init(kind, diagnostics)
    }

    /// Describes a failure with several causes.
    public init(_ kind: Kind, _ diagnostics: [Diagnostic]) {
        self.kind = kind
        self.diagnostics = diagnostics
    }

    /// Describes why no connector can be started. A process that is started again may find what is
    /// missing now, whatever its kind: the files of connectors are right.
    init(ofAll failures: [StartFailure]) {
        self.init(.unavailable, failures.flatMap(\.diagnostics))
    }

    /// What to do where the process lacks descriptors, threads or memory: those of the connector
    /// are not at fault.
    static let resourcesRemedy =
        "raise the limits of the process: open files (ulimit -n, LimitNOFILE= of systemd), memory"
        + " and threads; 'apns-bridge doctor' says how much is needed"

    /// The causes as `lint` prints them.
    public var description: String { Diagnostic.report(diagnostics) }
}
