internal import Spelling

/// The description of an option, flag or argument, independent of its type.
public struct Definition: Sendable {
    /// The name without dashes.
    public var name: String
    /// The letter of the short form.
    public var short: Character?
    /// The name of the value in help; nil for a flag.
    public var valueName: String?
    /// A one-sentence description.
    public var help: String
    /// The accepted words, if they can be listed.
    public var choices: [String] = []
    /// What a shell offers for the value.
    public var completion = CompletionKind.none
    /// True when it is required.
    public var isRequired = false
    /// True when it may be given more than once.
    public var isRepeating = false
    /// The default value, for the help.
    public var defaultText: String?
    /// True for a positional argument.
    var isPositional = false
    /// What is wrong with a word; nil if nothing.
    var problem: @Sendable (String) -> String? = { _ in nil }

    /// The key that its words are stored under.
    var key: String { isPositional ? name : "--\(name)" }
    /// The expected value, as the end of a sentence.
    var phrase: String {
        if !choices.isEmpty { return "one of \(choices.joined(separator: ", "))" }
        let text = help.hasSuffix(".") ? help.dropLast() : help[...]
        let isName = text.dropFirst().first?.isUppercase == true
        return isName ? String(text) : text.prefix(1).lowercased() + text.dropFirst()
    }

    /// All spellings of its name.
    var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

extension Definition {
    /// Creates a definition for words that are values of a type.
    init<Word: ExpressibleByArgument>(
        _ name: String, _ short: Character? = nil, _ valueName: String? = nil,
        _ completion: CompletionKind, _ help: String, as type: Word.Type
    ) {
        self.init(name: name, short: short, valueName: valueName ?? name.uppercased(), help: help)
        self.choices = Word.allValueStrings
        self.completion = completion
        self.problem = Self.problem(as: type)
    }

    /// Describes why a word is not a value of a type.
    private static func problem<Word: ExpressibleByArgument>(
        as type: Word.Type
    ) -> @Sendable (String) -> String? {
        return { word in
            guard Word(argument: word) == nil else { return nil }
            let choices = Word.allValueStrings
            guard !choices.isEmpty else { return "'\(word)' is not \(Word.valueDescription)" }
            let near = Suggestion.ending(for: word, among: choices)
            return "'\(word)' is not one of: \(choices.joined(separator: ", "))\(near)"
        }
    }
}

/// What a shell offers for a value.
public enum CompletionKind: Sendable {
    /// Nothing.
    case none
    /// Names of files and folders.
    case file
    /// Names of folders.
    case directory
}
