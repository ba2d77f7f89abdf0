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

/// Describes why a word is no value of a type.
func problem<Value: ExpressibleByArgument>(
    with word: String, as type: Value.Type
) -> String? {
    guard Value(argument: word) == nil else { return nil }
    let choices = Value.allValueStrings
    guard !choices.isEmpty else { return "'\(word)' is not \(Value.valueDescription)" }
    let near = Suggestion.nearest(to: word, among: choices).map { "; did you mean '\($0)'?" }
    return "'\(word)' is not one of: \(choices.joined(separator: ", "))\(near ?? "")"
}
