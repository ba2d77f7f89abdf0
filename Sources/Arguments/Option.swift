/// A declared `--name VALUE`.
///
/// `Value` says how often it is given: `Int` with a default or required, `Int?` at most once,
/// `[Int]` any number of times. When a single one is given twice, the last one holds.
public struct Option<Value: Sendable>: DeclaredOption {
    /// What help and completions show.
    public let definition: Definition
    let decode: @Sendable ([String]) -> Value?

    /// Declares an option that has a default.
    public init(
        _ name: String, short: Character? = nil, default fallback: Value, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value: ExpressibleByArgument {
        definition = Definition(
            name: name, short: short, valueName: valueName ?? name.uppercased(), help: help,
            choices: Value.allValueStrings, completion: completion,
            defaultText: fallback.argumentText, problem: { problem(with: $0, as: Value.self) })
        decode = { words in words.last.map { Value(argument: $0) } ?? fallback }
    }

    /// Declares an option that must be given.
    public init(
        required name: String, short: Character? = nil, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value: ExpressibleByArgument {
        definition = Definition(
            name: name, short: short, valueName: valueName ?? name.uppercased(), help: help,
            choices: Value.allValueStrings, completion: completion, isRequired: true,
            problem: { problem(with: $0, as: Value.self) })
        decode = { words in words.last.flatMap { Value(argument: $0) } }
    }

    /// Declares an option that may be left out.
    public init<Wrapped: ExpressibleByArgument>(
        _ name: String, short: Character? = nil, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value == Wrapped? {
        definition = Definition(
            name: name, short: short, valueName: valueName ?? name.uppercased(), help: help,
            choices: Wrapped.allValueStrings, completion: completion,
            problem: { problem(with: $0, as: Wrapped.self) })
        decode = { words in .some(words.last.flatMap { Wrapped(argument: $0) }) }
    }

    /// Declares an option that may be given more than once.
    public init<Element: ExpressibleByArgument>(
        _ name: String, short: Character? = nil, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value == [Element] {
        definition = Definition(
            name: name, short: short, valueName: valueName ?? name.uppercased(), help: help,
            choices: Element.allValueStrings, completion: completion, isRepeating: true,
            problem: { problem(with: $0, as: Element.self) })
        decode = { words in words.compactMap { Element(argument: $0) } }
    }
}

/// An option of any type, as a command lists it.
public protocol DeclaredOption: Sendable {
    /// What help and completions show.
    var definition: Definition { get }
}
