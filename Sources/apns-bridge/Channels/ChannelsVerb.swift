internal import APNs
internal import Arguments
internal import Configuration
internal import Delivery

/// Manages the broadcast channels of an app.
struct ChannelsVerb: Verb {
    private typealias Options = ChannelOptions

    private static let example = "connectors/live-activity-broadcast.yaml"

    static let command = Command(
        "channels",
        abstract: "Creates, reads, lists and deletes the broadcast channels of an app.",
        examples: [
            "apns-bridge channels create \(example) --storage latest",
            "apns-bridge channels list \(example)",
            "apns-bridge channels read \(example) dHN0LXNyY2gtY2hubA==",
            "apns-bridge channels delete \(example) dHN0LXNyY2gtY2hubA==",
        ],
        discussion: """
            Devices that subscribe to a channel get the updates of a Live Activity that are \
            broadcast to it. Apple chooses the ID of a channel, limits an app to 10,000 channels \
            in each environment, and deletes a channel for good.

            Channels are managed at api-manage-broadcast.push.apple.com:2196, and those of the \
            development environment at api-manage-broadcast.sandbox.push.apple.com:2195. A \
            connector with apns.endpoint, such as that of the simulator, is asked there. Kafka is \
            not used.

            Only IDs, and what read has found, are written to standard output. A request without \
            a response is not repeated: where a channel may exist nevertheless, list shows it. \
            Deleting a channel that is gone succeeds.

            Exit codes: 0 done; 1 rejected, no response, or declined; 64 usage, or not \
            confirmed without a terminal; 66 no such file; 69 APNs unavailable; 75 interrupted; 78 \
            configuration.
            """,
        subcommands: [create, read, list, delete])

    private static let create = Command(
        "create",
        abstract: "Creates a channel, and prints its ID.",
        examples: ["apns-bridge channels create \(example) --storage latest"],
        discussion: """
            Repeating it creates another channel. If no response comes, list the channels before \
            you create another one: an ID that you have not stored is that of the new channel.
            """,
        options: [Options.storage] + Options.shared, flags: [Options.isSure],
        arguments: [Options.connector])

    private static let read = Command(
        "read",
        abstract: "Shows what a channel stores, and its push type.",
        examples: [
            "apns-bridge channels read \(example) dHN0LXNyY2gtY2hubA=="
        ],
        options: Options.shared, arguments: [Options.connector, Options.channel])

    private static let list = Command(
        "list",
        abstract: "Prints the IDs of all channels of the app.",
        examples: ["apns-bridge channels list \(example)"],
        options: Options.shared, arguments: [Options.connector])

    private static let delete = Command(
        "delete",
        abstract: "Deletes a channel for good.",
        examples: [
            "apns-bridge channels delete \(example) dHN0LXNyY2gtY2hubA=="
        ],
        discussion: """
            Devices no longer get what is broadcast to it, except for what Apple had stored. \
            Deleting a channel that is gone succeeds.
            """,
        options: Options.shared, flags: [Options.isSure],
        arguments: [Options.connector, Options.channel])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        do throws(Refusal) {
            let connector = try Connector.toSend(from: parsed[Options.connector])
            let app = try ChannelTarget.app(parsed, connector)
            let request = ChannelRequest(
                action(parsed), bundleID: app.bundleID, id: .random())
            if !parsed[Options.isSure] { try question(before: request, app)?.ask() }
            return await ChannelsRun(
                request: request, app: app, connector: connector,
                format: parsed[OutputFormat.option],
                hasOwnEndpoint: parsed[Options.endpoint] != nil,
                list: "apns-bridge channels list \(parsed[Options.connector])"
                    + Options.choice(parsed)
            ).run()
        } catch {
            Console.error(error.text)
            return error.code
        }
    }

    private static func action(_ parsed: ParsedCommand) -> ChannelRequest.Action {
        switch parsed.path.last {
        case create.name: .create(parsed[Options.storage])
        case read.name: .read(channelID: parsed[Options.channel].argumentText)
        case delete.name: .delete(channelID: parsed[Options.channel].argumentText)
        default: .list
        }
    }

    /// What to ask before something changes in production; nil when there is nothing to ask.
    static func question(before request: ChannelRequest, _ app: AppSettings) -> Question? {
        guard app.isReal else { return nil }
        switch request.action {
        case .read, .list: return nil
        case .create(let storage):
            return Question(
                text: "Create a channel of \(app.bundleID) in production, storage"
                    + " \(storage.rawValue)",
                remedy: "add --yes to create a channel in production",
                refusal: "Nothing was created.")
        case .delete(let channelID):
            return Question(
                text: "Delete the channel \(channelID) of \(app.bundleID) in production for good",
                remedy: "add --yes to delete a channel in production",
                refusal: "Nothing was deleted.")
        }
    }
}
