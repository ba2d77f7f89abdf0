internal import APNs
internal import Arguments
internal import Bridge
internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import Spelling

/// Sends a connector's dead letters again.
struct ReplayVerb: Verb {
    private static let file = Argument<String>(
        "connector", completion: .file, help: "Connector file.")
    private static let reason = Option<String?>(
        "reason",
        help: "Only dead letters with this reason, such as payload_too_large; in_doubt, whose"
            + " pushes may have arrived, must be named.")
    private static let since = Option<TimeWord?>(
        "since", valueName: "TIME", help: "Only dead letters written at this time or later.")
    private static let pattern = Option<String?>(
        "where", valueName: "PATTERN", help: "Only events that match, written as in 'when'.")
    private static let rate = Option<RateWord?>(
        "rate", valueName: "N/s", help: "The most records to write, such as 100/s.")
    private static let max = Option<Int>(
        "max-replays", default: 3, valueName: "N", help: "How often an event may be replayed.")
    private static let target = Option<String?>(
        "to", valueName: "TOPIC", help: "Write to this topic instead of source.replay.")
    private static let isFromBeginning = Flag(
        "from-beginning",
        help: "Replays all dead letters, however old, if nothing is recorded of them.")
    private static let isDry = Flag(
        "dry-run", help: "Counts what would be replayed; writes and commits nothing.")
    private static let isSure = Flag("yes", help: "Does not ask before --to another topic.")

    static let signals = Signals.termination

    static let command = Command(
        "replay",
        abstract: "Sends a connector's dead letters again.",
        examples: [
            "apns-bridge replay --dry-run connectors/orders.yaml",
            "apns-bridge replay --reason payload_too_large connectors/orders.yaml",
            "apns-bridge replay --since 2026-01-01T10:00:00Z --rate 100/s connectors/orders.yaml",
        ],
        discussion: """
            Reads results.dead_letter to its present end, and writes each event with the place, \
            index and apns-id of its push to source.replay, which the connector consumes. \
            Attempts start anew. The group GROUP-replay-NAME, after source.group and the file's \
            name, records what was replayed: the same dead letter is not replayed twice, and \
            what a selection left out remains for the next replay. Dead letters without a value \
            cannot be replayed.

            Kafka forgets what a group has recorded 7 days after the last replay, or after its \
            offsets.retention.minutes. If nothing is recorded and there are older dead letters, \
            which may have been replayed before, nothing is replayed without --since or \
            --from-beginning. With --since alone, those before it then count as replayed.

            Exit codes: 0 done; 1 declined, or not everything was replayed; 64 usage, or not \
            confirmed without a terminal; 66 no such file; 69 Kafka unavailable; 75 \
            interrupted, run it again; 78 configuration.
            """,
        options: [reason, since, pattern, rate, max, target],
        flags: [isFromBeginning, isDry, isSure],
        arguments: [file])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let path = parsed[file]
        let loaded = ConnectorFile.load(
            path: path, environment: ProcessEnvironment.variables, mode: .inspectWithKafka)
        guard let connector = loaded.connector else {
            Console.error(Diagnostic.report(loaded.diagnostics.filter { $0.severity == .error }))
            return FileSystem.exists(path) ? .configuration : .noInput
        }
        do throws(Refusal) {
            let topic = try topic(connector, parsed)
            let selection = try selection(connector, parsed)
            return await ReplayRun(
                connector: connector, selection: selection, topic: topic, isDry: parsed[isDry],
                perSecond: parsed[rate]?.perSecond
            ).run()
        } catch {
            Console.error(error.text)
            return error.code
        }
    }

    private static func topic(
        _ connector: Connector, _ parsed: ParsedCommand
    ) throws(Refusal) -> String {
        guard let topic = parsed[target], topic != connector.source.replay else {
            if let own = connector.source.replay { return own }
            throw Refusal(
                text: "error: \(connector.file) has no 'source.replay', the topic to replay to\n"
                    + "  add it under 'source', for example replay: \(connector.name).replay,"
                    + " and restart the bridge", code: .configuration)
        }
        if connector.results.topics.contains(topic) {
            throw Refusal(
                text: "error: --to \(topic) is a result topic of the connector\n"
                    + "  leave it out to replay to source.replay")
        }
        warnOfLoops(connector, to: topic)
        if parsed[isDry] || parsed[isSure] { return topic }
        let devices =
            connector.source.topics.matches(topic)
            ? "; events with several pushes are left out"
            : ", and an event with several pushes is written once for each of its dead letters"
        Console.error(
            "warning: every consumer of '\(topic)' sees the records again, and as source records"
                + " they get new apns-ids" + devices)
        try Question(
            text: "Write to '\(topic)'", remedy: "add --yes to write to '\(topic)'",
            refusal: "Nothing was replayed."
        ).ask()
        return topic
    }

    /// A worker believes no event that says how often it was replayed, unless a seal proves it.
    private static func warnOfLoops(_ connector: Connector, to topic: String) {
        guard connector.results.seal == nil, connector.source.topics.matches(topic) else { return }
        Console.error(
            "warning: without 'results.seal' nothing limits how often an event is replayed to"
                + " '\(topic)': --max-replays has no effect there\n"
                + "  leave out --to to replay to source.replay, or add 'seal' to 'results'")
    }

    private static func selection(
        _ connector: Connector, _ parsed: ParsedCommand
    ) throws(Refusal) -> ReplaySelection {
        var selection = ReplaySelection()
        selection.since = parsed[since]?.milliseconds
        selection.isFromBeginning = parsed[isFromBeginning]
        selection.maxReplays = parsed[max]
        guard selection.maxReplays > 0 else {
            throw Refusal(text: "error: --max-replays \(selection.maxReplays): write 1 or more")
        }
        if let word = parsed[reason] { selection.reason = try known(word) }
        if let text = parsed[pattern] {
            let result = connector.plan(when: text, ofOption: "--where")
            guard let plan = result.plan else {
                throw Refusal(text: Diagnostic.report(result.diagnostics))
            }
            selection.condition = plan
        }
        return selection
    }

    /// A reason of dead letters; refuses any other word.
    private static func known(_ word: String) throws(Refusal) -> String {
        let message =
            DropReason.allCases.filter(\.leavesDeadLetter).map(\.rawValue)
            + ReasonTable.rows.compactMap(\.reason) + ["no_reason", "in_doubt"]
        if message.contains(word) { return word }
        let remedy =
            Suggestion.question(about: word, among: message)
            ?? "'apns-bridge reasons' lists those of APNs"
        throw Refusal(text: "error: unknown reason '\(word)'\n  \(remedy)")
    }
}
