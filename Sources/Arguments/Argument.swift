/// A declared word without a name, known by its place.
///
/// `Value` says how often it is given: `String` once, `String?` at most once, `[String]` once or
/// more. A repeated one must be the last of its command.
public struct Argument<Value: Sendable>: DeclaredArgument {
    /// What help and completions show.
    public let definition: Definition
    let decode: @Sendable ([String]) -> Value?

    /// Declares an argument that must be given.
    public init(
        _ name: String, completion: CompletionKind = .none, help: String
    ) where Value: ExpressibleByArgument {
        definition = Definition(
            name: name, valueName: name.uppercased(), help: help, choices: Value.allValueStrings,
            completion: completion, isRequired: true, isPositional: true,
            problem: { problem(with: $0, as: Value.self) })
        decode = { words in words.last.flatMap { Value(argument: $0) } }
    }

    /// Declares an argument that may be left out.
    public init<Wrapped: ExpressibleByArgument>(
        _ name: String, completion: CompletionKind = .none, help: String
    ) where Value == Wrapped? {
        definition = Definition(
            name: name, valueName: name.uppercased(), help: help,
            choices: Wrapped.allValueStrings, completion: completion, isPositional: true,
            problem: { problem(with: $0, as: Wrapped.self) })
        decode = { words in .some(words.last.flatMap { Wrapped(argument: $0) }) }
    }

    /// Declares an argument that is given once or more.
    public init<Element: ExpressibleByArgument>(
        _ name: String, completion: CompletionKind = .none, help: String
    ) where Value == [Element] {
        definition = Definition(
            name: name, valueName: name.uppercased(), help: help,
            choices: Element.allValueStrings, completion: completion, isRequired: true,
            isRepeating: true, isPositional: true, problem: { problem(with: $0, as: Element.self) })
        decode = { words in words.compactMap { Element(argument: $0) } }
    }
}

/// An argument of any type, as a command lists it.
public protocol DeclaredArgument: Sendable {
    /// What help and completions show.
    var definition: Definition { get }
}
