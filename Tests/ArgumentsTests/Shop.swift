internal import Arguments

/// A command line with one of everything.
enum Shop {
    enum Size: String, CaseIterable, ExpressibleByArgument {
        case small, medium, large
    }

    static let count = Option<Int>("count", short: "n", default: 3, help: "How many.")
    static let size = Option<Size?>("size", help: "Which size.")
    static let tags = Option<[String]>("tag", help: "A tag.")
    static let owner = Option<String>(required: "owner", help: "Whose it is.")
    static let quiet = Flag("quiet", short: "q", help: "Says nothing.")
    static let items = Argument<[String]>("item", completion: .file, help: "What to buy.")
    static let note = Argument<String?>("note", help: "What to print.")
    static let amount = Argument<Int>("amount", help: "How much.")

    static let buy = Command(
        "buy", abstract: "Buys things.", examples: ["shop buy tea"],
        options: [count, size, tags], flags: [quiet], arguments: [items])
    static let transfer = Command(
        "transfer", abstract: "Moves an amount.", options: [owner], arguments: [amount, note])
    static let keys = Command(
        "keys", abstract: "Shows keys.", options: [size],
        subcommands: [Command("add", abstract: "Adds a key.", options: [size])],
        requiresSubcommand: false)
    static let command = Command(
        "shop", abstract: "Sells things.", subcommands: [buy, transfer, keys])

    /// What a command line runs.
    static func parse(_ words: String...) throws -> ParsedCommand {
        guard case .run(let parsed) = try command.parse(words) else { throw HelpWasShown() }
        return parsed
    }

    /// The message about an invalid command line.
    static func complaint(_ words: String...) -> String? {
        do throws(UsageError) {
            _ = try command.parse(words)
            return nil
        } catch {
            return error.message
        }
    }

    /// The help that a command line asks for.
    static func help(_ words: String...) throws -> String? {
        guard case .help(let text) = try command.parse(words) else { return nil }
        return text
    }

    struct HelpWasShown: Error {}
}
