/// A declared `--name VALUE`.
///
/// `Value` determines how often it is given: `Int` with a default or required, `Int?` at most once,
/// `[Int]` any number of times. If a single one is given twice, the last one counts.
public struct Option<Value: Sendable>: Declared {
    /// The information in help and completions.
    public private(set) var definition: Definition
    let decode: @Sendable ([String]) -> Value?

    /// Declares an option with a default.
    public init(
        _ name: String, short: Character? = nil, default fallback: Value, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value: ExpressibleByArgument {
        definition = Definition(name, short, valueName, completion, help, as: Value.self)
        definition.defaultText = fallback.argumentText
        decode = { words in words.last.map { Value(argument: $0) } ?? fallback }
    }

    /// Declares a required option.
    public init(
        required name: String, short: Character? = nil, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value: ExpressibleByArgument {
        definition = Definition(name, short, valueName, completion, help, as: Value.self)
        definition.isRequired = true
        decode = { words in words.last.flatMap { Value(argument: $0) } }
    }

    /// Declares an optional option.
    public init<Word: ExpressibleByArgument>(
        _ name: String, short: Character? = nil, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value == Word? {
        definition = Definition(name, short, valueName, completion, help, as: Word.self)
        decode = { words in .some(words.last.flatMap { Word(argument: $0) }) }
    }

    /// Declares a repeating option.
    public init<Word: ExpressibleByArgument>(
        _ name: String, short: Character? = nil, valueName: String? = nil,
        completion: CompletionKind = .none, help: String
    ) where Value == [Word] {
        definition = Definition(name, short, valueName, completion, help, as: Word.self)
        definition.isRepeating = true
        decode = { words in words.compactMap { Word(argument: $0) } }
    }
}

/// An option or an argument of any type, as listed in a command.
public protocol Declared: Sendable {
    /// The information in help and completions.
    var definition: Definition { get }
}
