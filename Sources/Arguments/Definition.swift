internal import Spelling

/// What is known of one option, flag or argument without its type.
public struct Definition: Sendable {
    /// The name without dashes.
    public var name: String
    /// The letter of the short form.
    public var short: Character?
    /// How the value is called in help; nil for a flag.
    public var valueName: String?
    /// One sentence for the help.
    public var help: String
    /// The words that it takes, when they can be listed.
    public var choices: [String] = []
    /// What a shell offers for the value.
    public var completion = CompletionKind.none
    /// True when it must be given.
    public var isRequired = false
    /// True when it may be given more than once.
    public var isRepeating = false
    /// The value it has when it is not given, for the help.
    public var defaultText: String?
    /// True when its place tells what it is, not a name.
    var isPositional = false
    /// What is wrong with a word that was given; nil when nothing is.
    var problem: @Sendable (String) -> String? = { _ in nil }

    /// The name under which the words for it are kept.
    var key: String { isPositional ? name : "--\(name)" }
    /// What belongs there, as the end of a sentence.
    var phrase: String {
        if !choices.isEmpty { return "one of \(choices.joined(separator: ", "))" }
        let text = help.hasSuffix(".") ? help.dropLast() : help[...]
        let isName = text.dropFirst().first?.isUppercase == true
        return isName ? String(text) : text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Every way to write its name.
    var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

extension Definition {
    /// Describes what takes words that are values of a type.
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

/// What a shell offers where a value belongs.
public enum CompletionKind: Sendable {
    /// Nothing.
    case none
    /// Names of files and folders.
    case file
    /// Names of folders.
    case directory
}
