internal import APNs
internal import Arguments
internal import JSON
internal import Spelling

/// Prints the table of APNs's responses: what each means, and what the bridge does.
struct ReasonsVerb: Verb {
    /// The output format.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// For people.
        case text
        /// For programs: one JSON array.
        case json
        /// For the documentation.
        case markdown
    }

    private static let reason = Argument<String?>(
        "reason", help: "A reason such as BadDeviceToken, or a status such as 410.")
    private static let format = Option<Format>(
        "format", default: .text, help: "How the table is written.")

    static let command = Command(
        "reasons",
        abstract: "Lists the responses of APNs and what the bridge does about each.",
        examples: [
            "apns-bridge reasons", "apns-bridge reasons BadDeviceToken",
            "apns-bridge reasons 410", "apns-bridge reasons --format markdown",
        ],
        discussion: """
            Prints the table that the bridge itself uses; the first row that matches a response \
            applies. The status decides; the last rows cover a status without a reason and \
            whole classes of statuses.

            Exit codes: 0 done; 64 unknown reason.
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

    /// The rows for a reason or a status; nil when there are none.
    private static func rows(for word: String?) -> [ReasonRow]? {
        guard let word else { return ReasonTable.rows }
        let found =
            Int(word).map { status in
                ReasonTable.rows.filter { $0.statuses.contains(status) && $0.isForFew }
            } ?? ReasonTable.rows(named: word)
        return found.isEmpty ? nil : found
    }

    private static func unknown(_ word: String) -> ExitCode {
        let names = ReasonTable.rows.compactMap(\.reason)
        let remedy =
            Suggestion.question(about: word, among: names)
            ?? "run 'apns-bridge reasons' to list them all"
        Console.error("error: unknown reason '\(word)'\n  \(remedy)")
        return .usage
    }

    private static func text(_ rows: [ReasonRow]) -> String {
        rows.map { row in
            """
            \(row.statusText) \(row.reasonText)
              \(row.meaning)
              Action: \(row.action).
              \(row.facts).

            """
        }.joined(separator: "\n")
    }

    private static func json(_ rows: [ReasonRow]) -> [UInt8] {
        var writer = JSONWriter()
        writer.array(rows) { row, writer in
            writer.beginObject()
            write(row, to: &writer)
            writer.endObject()
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ row: ReasonRow, to writer: inout JSONWriter) {
        writer.name("status")
        writer.integer(row.statuses.count == 1 ? row.statuses.lowerBound : nil)
        writer.name("statuses")
        writer.string(row.statusText)
        writer.name("reason")
        writer.string(row.reason)
        writer.name("applies_to")
        writer.string(row.matchName)
        writer.name("action")
        writer.string(row.reaction.name)
        writer.name("scope")
        writer.string(row.scope.rawValue)
        writer.name("device_token")
        writer.string(row.deviceToken.rawValue)
        writer.name("provider_token")
        writer.string(row.providerToken.name)
        writer.name("our_fault")
        writer.boolean(row.isOurFault)
        writer.name("proves_credential")
        writer.boolean(row.provesCredential)
        writer.name("in_doubt")
        writer.boolean(row.isInDoubt)
        writer.name("replaces_connection")
        writer.boolean(row.replacesConnection)
        writer.name("meaning")
        writer.string(row.meaning)
    }

    private static func markdown(_ rows: [ReasonRow]) -> String {
        let lines = rows.map { row in
            "| \(row.statusText) | \(row.reasonText) | \(row.meaning) | \(row.action)"
                + " | \(row.scope.rawValue) | \(row.deviceToken.rawValue)"
                + " | \(row.providerToken.message) | \(yes(row.isOurFault))"
                + " | \(yes(row.provesCredential)) |\n"
        }
        return "| status | reason | what it means | what is done | scope | device token"
            + " | provider token | our bug | proves the credential |\n"
            + "|---|---|---|---|---|---|---|---|---|\n" + lines.joined()
    }

    private static func yes(_ value: Bool) -> String { value ? "yes" : "" }
}

extension ReasonRow {
    /// False for rows of whole classes, if the requested status has its own rows.
    fileprivate var isForFew: Bool { statuses.count <= 100 }

    fileprivate var statusText: String {
        if statuses.count == 1 { return String(statuses.lowerBound) }
        return statuses.count > 100
            ? "any other" : "\(statuses.lowerBound)-\(statuses.upperBound)"
    }

    fileprivate var reasonText: String {
        switch match {
        case .reason(let word): word
        case .absent: "(no reason)"
        case .unidentified: "(without the apns-id that was sent)"
        case .other: "(any other reason, or none)"
        }
    }

    fileprivate var matchName: String {
        switch match {
        case .reason: "reason"
        case .absent: "no_reason"
        case .unidentified: "no_apns_id"
        case .other: "any_other"
        }
    }

    fileprivate var action: String {
        let replaces = replacesConnection && !reaction.namesConnection
        return reaction.message + (replaces ? "; the connection is replaced" : "")
    }

    /// Its other columns, in one line of text.
    fileprivate var facts: String {
        var facts = ["Scope: \(scope.rawValue)"]
        if deviceToken != .none { facts.append("device token: \(deviceToken.rawValue)") }
        if providerToken != .none { facts.append("provider token: \(providerToken.message)") }
        if isOurFault { facts.append("a bug in apns-bridge or a proxy") }
        if isInDoubt { facts.append("the push may have been delivered") }
        if provesCredential { facts.append("proves that APNs accepts the credential") }
        return facts.joined(separator: "; ")
    }
}

extension ProviderTokenEffect {
    fileprivate var message: String { self == .changedTooOften ? "changed too often" : rawValue }
    fileprivate var name: String { self == .changedTooOften ? "changed_too_often" : rawValue }
}

extension Reaction {
    /// True when its description already mentions another connection.
    fileprivate var namesConnection: Bool { self == .retryNow || self == .retryOnce }
}
