/// A declared `--name` that takes no value.
public struct Flag: Sendable {
    /// What help and completions show.
    public let definition: Definition

    /// Declares a flag.
    public init(_ name: String, short: Character? = nil, help: String) {
        definition = Definition(name: name, short: short, help: help)
    }
}
