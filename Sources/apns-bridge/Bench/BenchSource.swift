internal import APNs
internal import Arguments
internal import Configuration
internal import ConnectorTesting
internal import Delivery
internal import EventLoop
internal import YAML

/// The events of a measurement, and what the connector makes of one of them.
struct BenchSource: Sendable {
    let events: BenchEvents
    /// The request of the first push.
    let request: APNsRequest
    let pushesPerEvent: Int
    /// The bundle identifier of the app whose channels it broadcasts to; nil if it does not.
    let broadcastingApp: String?

    /// Reads the event and checks that the connector sends pushes for it; broadcasts go to
    /// `channels`, or to the event's own if there are none.
    init(
        _ settings: BenchSettings, _ connector: Connector, channels: [[UInt8]] = []
    ) throws(BenchFailure) {
        let path = Self.file(settings)
        if let path {
            let event = try Self.read(path, isGiven: settings.event != nil)
            let found = Self.render(event, connector)
            events = BenchEvents(
                event, destinations: found.notifications.map(\.notification.destination),
                channels: channels)
        } else {
            events = .builtIn
        }
        let name = path ?? "the built-in event"
        let rendered = Self.render(events.event(0), connector)
        if rendered.isSkipped {
            let message = rendered.explanation.first.map { " (\($0))" } ?? ""
            throw BenchFailure(
                .badData, "\(name) is skipped by 'when'\(message): give another --event")
        }
        var requests: [APNsRequest] = []
        for notification in rendered.notifications {
            switch notification.verdict {
            case .send(let request): requests.append(request)
            case .drop(let drop):
                throw BenchFailure(
                    .badData,
                    "\(name) would be dropped as \(drop.reason.rawValue):"
                        + " \(drop.detail): correct it, or give another --event")
            }
        }
        guard let first = requests.first else {
            throw BenchFailure(
                .badData, "\(name) yields no push: correct it, or give another --event")
        }
        request = first
        pushesPerEvent = requests.count
        broadcastingApp =
            rendered.notifications.first { $0.notification.isBroadcast }.map {
                String(decoding: $0.notification.bundleID, as: UTF8.self)
            }
    }

    /// The file of the event; nil for the built-in one.
    static func file(_ settings: BenchSettings) -> String? {
        if let event = settings.event { return event }
        guard let connector = settings.connector else { return nil }
        let stem = connector.hasSuffix(".yaml") ? String(connector.dropLast(5)) : connector
        return "\(stem).example.json"
    }

    private static func read(_ path: String, isGiven: Bool) throws(BenchFailure) -> [UInt8] {
        do throws(InputFile.Failure) {
            return try InputFile.read(path: path, limit: 16 << 20)
        } catch {
            throw BenchFailure(
                .noInput,
                "the event \(path) cannot be read: \(error.reason)"
                    + (isGiven ? "" : "; pass --event FILE"))
        }
    }

    private static func render(_ event: [UInt8], _ connector: Connector) -> RenderedRecord {
        let now = WallClock.milliseconds
        var renderer = RecordRenderer(plan: connector.plan, group: connector.source.group)
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: connector.source.firstTopic, partition: 0),
            offset: 0, timestamp: now, key: [UInt8]("device-0".utf8), value: event)
        return renderer.render(record, now: now)
    }
}
