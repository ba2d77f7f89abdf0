public import Arguments
public import Delivery

/// The options of `send`.
enum SendOptions {
    static let connector = Argument<String>(
        "connector", completion: .file,
        help: "Connector file, for the app, its credential and its endpoint.")
    static let event = Argument<String?>(
        "event", completion: .file,
        help: "File that holds an event to map as the connector does; - for standard input.")
    static let token = Option<[DeviceTokenWord]>(
        "token",
        help: "Device token. With an event, it replaces the event's own.")
    static let payload = Option<String?>(
        "payload", valueName: "FILE", completion: .file,
        help: "File that holds the payload; - for standard input.")
    static let alert = Option<String?>("alert", valueName: "TEXT", help: "Text of an alert.")
    static let title = Option<String?>("title", valueName: "TEXT", help: "Title of an alert.")
    static let sound = Option<String?>(
        "sound", valueName: "NAME", help: "Sound of an alert, such as default.")
    static let badge = Option<Int?>("badge", valueName: "N", help: "Badge of the app's icon.")
    static let app = Option<String?>(
        "app", valueName: "NAME", help: "App, if the connector has several.")
    static let pushType = Option<PushType?>(
        "push-type", valueName: "TYPE", help: "Push type; defaults to alert.")
    static let priority = Option<PriorityWord?>(
        "priority", help: "Priority; defaults to that of the push type.")
    static let collapseID = Option<String?>(
        "collapse-id", valueName: "ID", help: "Collapse ID.")
    static let expiration = Option<String?>(
        "expiration", valueName: "TIME",
        help: "When APNs stops trying to deliver it; 0 for a single attempt.")
    static let timeToLive = Option<DurationWord?>(
        "ttl", valueName: "DURATION", help: "The same as a time from now, such as 4h.")
    static let isDry = Flag("dry-run", help: "Shows the requests, and sends nothing.")
    static let isSure = Flag(
        "yes",
        help: "Does not ask before it sends a broadcast, or more than one push, to production.")
}

extension PushType: ExpressibleByArgument {}

/// A priority on a command line.
enum PriorityWord: String, CaseIterable, ExpressibleByArgument {
    case ten = "10"
    case five = "5"
    case one = "1"
}
