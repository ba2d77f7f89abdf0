/// A declared command: what it takes, what it is for, and the commands below it.
public struct Command: Sendable {
    /// The word that calls it.
    public var name: String
    /// One sentence that says what it does.
    public var abstract: String
    /// Command lines to copy, the most useful one first.
    public var examples: [String]
    /// What else there is to know, in paragraphs.
    public var discussion: String
    /// What it takes by name, with a value.
    public var options: [any Declared]
    /// What it takes by name, without a value.
    public var flags: [Flag]
    /// What it takes by place.
    public var arguments: [any Declared]
    /// The commands below it.
    public var subcommands: [Command]
    /// True when it does nothing by itself.
    public var requiresSubcommand: Bool

    /// Declares a command; one that has commands below it does nothing by itself unless said.
    public init(
        _ name: String, abstract: String, examples: [String] = [], discussion: String = "",
        options: [any Declared] = [], flags: [Flag] = [],
        arguments: [any Declared] = [], subcommands: [Command] = [],
        requiresSubcommand: Bool? = nil
    ) {
        self.name = name
        self.abstract = abstract
        self.examples = examples
        self.discussion = discussion
        self.options = options
        self.flags = flags
        self.arguments = arguments
        self.subcommands = subcommands
        self.requiresSubcommand = requiresSubcommand ?? !subcommands.isEmpty
    }

    static let help = Flag("help", short: "h", help: "Show this help.")

    /// Everything that is written with dashes, in the order of the help.
    var named: [Definition] {
        options.map(\.definition) + flags.map(\.definition) + [Self.help.definition]
    }
}
