/// A declared `--name` that takes no value.
public struct Flag: Sendable {
    /// The information in help and completions.
    public let definition: Definition

    /// Declares a flag.
    public init(_ name: String, short: Character? = nil, help: String) {
        definition = Definition(name: name, short: short, help: help)
    }
}
