public import Configuration

/// Reads the files of a running process again.
public struct ReloadSource: Sendable {
    /// What the files say now.
    public struct Reading: Sendable {
        /// The connectors; not used if there is an error.
        public var connectors: [Connector]
        /// The connectors whose files are right and name something that is not.
        public var unusable: [UnusableConnector]
        /// Everything that is wrong with the files, and with what they name.
        public var diagnostics: [Diagnostic]
        /// Adopts the settings of the process, once everything is known to be valid.
        public var adopt: @Sendable () -> Void

        /// Describes what was read.
        public init(
            connectors: [Connector], unusable: [UnusableConnector] = [],
            diagnostics: [Diagnostic],
            adopt: @escaping @Sendable () -> Void = {}
        ) {
            self.connectors = connectors
            self.unusable = unusable
            self.diagnostics = diagnostics
            self.adopt = adopt
        }
    }

    /// Reads the files; it may block.
    let read: @Sendable () -> Reading

    /// Creates a source.
    public init(read: @escaping @Sendable () -> Reading) { self.read = read }
}
