/// A declared positional argument.
///
/// `Value` determines how often it is given: `String` once, `String?` at most once, `[String]` once
/// or more. A repeating one must be the last of its command.
public struct Argument<Value: Sendable>: Declared {
    /// The information in help and completions.
    public private(set) var definition: Definition
    let decode: @Sendable ([String]) -> Value?

    /// Declares a required argument.
    public init(
        _ name: String, completion: CompletionKind = .none, help: String
    ) where Value: ExpressibleByArgument {
        definition = Definition(name, nil, nil, completion, help, as: Value.self)
        (definition.isPositional, definition.isRequired) = (true, true)
        decode = { words in words.last.flatMap { Value(argument: $0) } }
    }

    /// Declares an optional argument.
    public init<Word: ExpressibleByArgument>(
        _ name: String, completion: CompletionKind = .none, help: String
    ) where Value == Word? {
        definition = Definition(name, nil, nil, completion, help, as: Word.self)
        definition.isPositional = true
        decode = { words in .some(words.last.flatMap { Word(argument: $0) }) }
    }

    /// Declares a repeating argument.
    public init<Word: ExpressibleByArgument>(
        _ name: String, completion: CompletionKind = .none, help: String
    ) where Value == [Word] {
        definition = Definition(name, nil, nil, completion, help, as: Word.self)
        (definition.isPositional, definition.isRequired) = (true, true)
        definition.isRepeating = true
        decode = { words in words.compactMap { Word(argument: $0) } }
    }
}
