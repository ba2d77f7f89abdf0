public import APNs
public import Arguments
public import Configuration

/// The options of `channels` and its subcommands.
enum ChannelOptions {
    static let connector = Argument<String>(
        "connector", completion: .file,
        help: "Connector file, for the app, its credential and its endpoint.")
    static let channel = Argument<ChannelIDWord>("channel", help: "ID of the channel.")
    static let storage = Option<ChannelStorage>(
        "storage", default: .nothing,
        help: "What it stores for devices that are offline: latest keeps the latest broadcast for"
            + " at most 8 hours, none allows more broadcasts. It cannot be changed later.")
    static let app = Option<String?>(
        "app", valueName: "NAME", help: "App, if the connector has several.")
    static let environment = Option<APNsSettings.Environment?>(
        "environment",
        help: "Apple's environment; defaults to that of the app. Each has channels of its own.")
    static let endpoint = Option<String?>(
        "endpoint", valueName: "URL",
        help: "Where channels are managed, in place of Apple's host and port or the connector's"
            + " endpoint.")
    static let authorities = Option<String?>(
        "ca-file", valueName: "FILE", completion: .file,
        help: "PEM file with the certificate authorities to trust at --endpoint.")
    static let isSure = Flag("yes", help: "Does not ask before it changes something in production.")

    /// Those of every subcommand.
    static let shared: [any Declared] = [
        app, environment, endpoint, authorities, OutputFormat.option,
    ]

    /// The options that choose the app and its service, as written on the command line.
    static func choice(_ parsed: ParsedCommand) -> String {
        let words = [
            ("--app", parsed[app]), ("--environment", parsed[environment]?.rawValue),
            ("--endpoint", parsed[endpoint]), ("--ca-file", parsed[authorities]),
        ]
        return words.compactMap { name, value in value.map { " \(name) \($0)" } }.joined()
    }
}

/// The ID of a channel on a command line.
struct ChannelIDWord: ExpressibleByArgument {
    let argumentText: String

    init?(argument: String) {
        guard !argument.isEmpty, argument.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        argumentText = argument
    }

    static var valueDescription: String { "a channel ID, which is Base64" }
}

extension ChannelStorage: ExpressibleByArgument {}
extension APNsSettings.Environment: ExpressibleByArgument {}
