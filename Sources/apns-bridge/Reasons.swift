internal import APNs
internal import Arguments
internal import JSON
internal import Spelling

/// Prints the table of Apple's answers: what each means, and what is done about it.
struct ReasonsVerb: Verb {
    /// Who reads the table.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// People.
        case text
        /// Programs: one JSON array.
        case json
        /// A page of documentation.
        case markdown
    }

    private static let reason = Argument<String?>(
        "reason", help: "A reason such as BadDeviceToken, or a status such as 410.")
    private static let format = Option<Format>(
        "format", default: .text, help: "How the table is written.")

    static let command = Command(
        "reasons",
        abstract: "Explains the answers of APNs, and what is done about each.",
        examples: [
            "apns-bridge reasons", "apns-bridge reasons BadDeviceToken",
            "apns-bridge reasons 410", "apns-bridge reasons --format markdown",
        ],
        discussion: """
            It is the very table that pushes are handled by. The status decides; a reason that \
            is not in the table is handled as its status class is.

            Exit codes: 0 done; 64 there is no such reason.
            """,
        options: [format], arguments: [reason])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        guard let rows = rows(for: parsed[reason]) else {
            return unknown(parsed[reason] ?? "")
        }
        switch parsed[format] {
        case .text: Console.output(text(rows))
        case .json: Console.output(json(rows))
        case .markdown: Console.output(markdown(rows))
        }
        return .success
    }

    /// The rows of a reason or a status; nil when there are none.
    private static func rows(for word: String?) -> [ReasonRow]? {
        guard let word else { return ReasonTable.rows }
        let found =
            Int(word).map { status in ReasonTable.rows.filter { $0.status == status } }
            ?? ReasonTable.rows(named: word)
        return found.isEmpty ? nil : found
    }

    private static func unknown(_ word: String) -> ExitCode {
        let names = ReasonTable.rows.map(\.reason).filter { !$0.isEmpty }
        let remedy =
            Suggestion.nearest(to: word, among: names).map { "did you mean '\($0)'?" }
            ?? "apns-bridge reasons prints them all"
        Console.error("error: the table has no reason '\(word)'\n  \(remedy)")
        return .usage
    }

    private static func text(_ rows: [ReasonRow]) -> String {
        rows.map { row in
            """
            \(row.status) \(row.reason.isEmpty ? "(no reason)" : row.reason)
              \(row.meaning)
              Action: \(action(row)).

            """
        }.joined(separator: "\n")
    }

    private static func action(_ row: ReasonRow) -> String {
        let replaces = row.replacesConnection && !row.reaction.namesConnection
        return row.reaction.words + (replaces ? "; the connection is replaced" : "")
    }

    private static func json(_ rows: [ReasonRow]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            writer.name("status")
            writer.integer(row.status)
            writer.name("reason")
            if row.reason.isEmpty { writer.null() } else { writer.string(row.reason) }
            writer.name("action")
            writer.string(row.reaction.name)
            writer.name("replaces_connection")
            writer.boolean(row.replacesConnection)
            writer.name("meaning")
            writer.string(row.meaning)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func markdown(_ rows: [ReasonRow]) -> String {
        let lines = rows.map { row in
            "| \(row.status) | \(row.reason) | \(row.meaning) | \(action(row)) |\n"
        }
        return "| status | reason | what it means | what is done |\n|---|---|---|---|\n"
            + lines.joined()
    }
}

extension Reaction {
    /// True when its words say already that another connection is taken.
    fileprivate var namesConnection: Bool { self == .retryNow || self == .retryOnce }
}
