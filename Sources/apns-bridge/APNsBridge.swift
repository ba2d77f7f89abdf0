internal import Arguments
internal import EventLoop
internal import Glibc

/// The command line: one file per command.
@main
struct APNsBridge {
    /// All commands, in the order of the help.
    static let verbs: [any Verb.Type] = [
        RunVerb.self,
        CreateTopicsVerb.self,
        DemoVerb.self,
        BenchVerb.self,
        LintVerb.self,
        DoctorVerb.self,
        TestVerb.self,
        RenderVerb.self,
        SendVerb.self,
        ChannelsVerb.self,
        ReplayVerb.self,
        ReasonsVerb.self,
        SchemaVerb.self,
        SimulatorVerb.self,
        LegacyGatewayVerb.self,
        FeedbackServiceVerb.self,
        VersionVerb.self,
        CompletionsVerb.self,
        ManualVerb.self,
    ]

    private static let version = Flag("version", help: "Prints the version.")

    /// The complete command line, as shown by help and completions.
    static let command = Command(
        "apns-bridge",
        abstract:
            "Turns Kafka records into Apple push notifications and reports each outcome.",
        examples: ["apns-bridge demo", "apns-bridge run connectors/orders.yaml"],
        discussion: """
            Exit codes: 0 done; 1 a check failed; 64 usage; 65 bad data; 66 no such
            file; 69 Kafka or APNs unavailable; 70 internal error; 75 try again; 78 configuration.
            """,
        flags: [version],
        subcommands: verbs.map { $0.command },
        requiresSubcommand: false)

    static func main() async {
        // A peer or reader that goes away is an error of one call and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        ProcessLimits.reserveDescriptors()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Before anything that takes time, so that no signal is lost.
        Signals.watch(verb(arguments.first)?.signals ?? [])
        LoopThread.require(4)
        await prepareTimers()
        let ending = await run(arguments)
        StandardError.exit(ending.rawValue)
    }

    /// The timers of Swift's tasks get their descriptors now: later there may be none.
    private static func prepareTimers() async {
        try? await Task.sleep(for: .nanoseconds(1), clock: .continuous)
        try? await Task.sleep(for: .nanoseconds(1), clock: .suspending)
    }

    @concurrent
    private static func run(_ arguments: [String]) async -> ExitCode {
        do {
            switch try command.parse(arguments) {
            case .help(let text):
                Console.output(text)
                return .success
            case .run(let parsed):
                return await dispatch(parsed)
            }
        } catch {
            Console.error(error.description)
            return .usage
        }
    }

    private static func verb(_ name: String?) -> (any Verb.Type)? {
        verbs.first { $0.command.name == name }
    }

    private static func dispatch(_ parsed: ParsedCommand) async -> ExitCode {
        if let verb = verb(parsed.path.first) { return await verb.run(parsed) }
        if parsed[version] {
            Console.output("apns-bridge \(VersionVerb.product)\n")
            return .success
        }
        Console.error(command.helpText(title: command.name))
        return .usage
    }
}
