/// A declared command: its options, flags, arguments and subcommands.
public struct Command: Sendable {
    /// Its name on the command line.
    public var name: String
    /// A one-sentence description.
    public var abstract: String
    /// Example command lines, the most useful first.
    public var examples: [String]
    /// Further explanation, in paragraphs.
    public var discussion: String
    /// Its options, which have values.
    public var options: [any Declared]
    /// Its flags, which have no values.
    public var flags: [Flag]
    /// Its positional arguments.
    public var arguments: [any Declared]
    /// Its subcommands.
    public var subcommands: [Command]
    /// True when it cannot be invoked without a subcommand.
    public var requiresSubcommand: Bool

    /// Declares a command; one with subcommands requires one unless stated otherwise.
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

    /// All options and flags, in the order of the help.
    var named: [Definition] {
        options.map(\.definition) + flags.map(\.definition) + [Self.help.definition]
    }
}

/// A declared `--name` that takes no value.
public struct Flag: Sendable {
    /// The information in help and completions.
    public let definition: Definition

    /// Declares a flag.
    public init(_ name: String, short: Character? = nil, help: String) {
        definition = Definition(name: name, short: short, help: help)
    }
}
