internal import APNs
internal import Arguments
internal import Bridge
internal import Configuration
internal import ConnectorTesting
internal import Delivery
internal import EventLoop

/// Sends pushes by hand, with a connector's credentials and without Kafka.
struct SendVerb: Verb {
    private typealias Options = SendOptions

    static let command = Command(
        "send",
        abstract: "Sends a push now, without Kafka, and shows the response of APNs.",
        examples: [
            "apns-bridge send connectors/orders.yaml --token 00fc13ad... --alert \"Hello\"",
            "apns-bridge send connectors/orders.yaml --token 00fc13ad... --payload payload.json",
            "apns-bridge send connectors/orders.yaml connectors/orders.example.json --dry-run",
        ],
        discussion: """
            The connector file says where to send and with which credential; Kafka is not used: \
            nothing is written to its topics. The push is given by --alert, by --payload, or by an \
            event, which the connector maps as render shows it. Everything is checked as by run. \
            A push is not retried later: each response is shown as it arrives, with what to do \
            about it. SIGINT or SIGTERM ends the run and lists the device tokens without a \
            response. TIME is ISO 8601, or seconds to nanoseconds since 1970.

            Exit codes: 0 all accepted; 1 some rejected, dropped, or in doubt, or nothing to send; \
            64 usage; 65 the event or payload is not readable; 66 no such file; 69 APNs \
            unavailable; 75 interrupted, some may have been delivered; 78 configuration.
            """,
        options: [
            Options.token, Options.alert, Options.title, Options.sound, Options.badge,
            Options.payload, Options.app, Options.pushType, Options.priority, Options.collapseID,
            Options.expiration, Options.timeToLive, EventInput.key, EventInput.header,
            EventInput.timestamp, OutputFormat.option,
        ],
        flags: [Options.isDry, Options.isSure],
        arguments: [Options.connector, Options.event])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        do throws(Refusal) {
            let connector = try Connector.toSend(from: parsed[Options.connector])
            let content = try SendContent(parsed, connector)
            let now = WallClock.milliseconds
            let rendered = try render(content, connector, parsed, now: now)
            guard !parsed[Options.isDry], rendered.requestCount > 0 else {
                Console.output(rendered, of: connector, as: parsed[OutputFormat.option], now: now)
                if rendered.isUnreadable { return .badData }
                return rendered.requestCount > 0 ? .success : .failure
            }
            if !parsed[Options.isSure] { try question(before: rendered, connector)?.ask() }
            return await SendRun(
                rendered: rendered, connector: connector, format: parsed[OutputFormat.option],
                now: now
            ).run()
        } catch {
            Console.error(error.text)
            return error.code
        }
    }

    private static func render(
        _ content: SendContent, _ connector: Connector, _ parsed: ParsedCommand, now: Int64
    ) throws(Refusal) -> RenderedRecord {
        // A cluster that nobody else has, so that no two runs have the same identifiers.
        let cluster = "send \(UInt64.random(in: .min ... .max))"
        let topicPartition = TopicPartition(
            topic: connector.source.firstTopic, partition: 0)
        let group = connector.source.group
        switch content {
        case .event(let path):
            let record = EventInput.record(
                try EventInput.read(path), parsed, at: topicPartition, now: now)
            var renderer = RecordRenderer(
                plan: connector.plan, clusterID: cluster, group: group,
                targets: RenderedTarget.all(of: connector))
            let rendered = renderer.render(record, now: now)
            let tokens = parsed[Options.token].map(\.digits)
            if !tokens.isEmpty, rendered.pushes.contains(where: \.notification.isBroadcast) {
                throw Refusal(
                    text: "error: --token is for devices, but \(path) yields a broadcast\n"
                        + "  remove the option, or name the channel in the event")
            }
            return tokens.isEmpty ? rendered : rendered.redirected(to: tokens, now: now)
        case .draft(let draft, let app):
            guard let plan = connector.canonicalPlan(app: app, source: "command line") else {
                throw Refusal(text: "error: no plan for '\(app.name)'", code: .software)
            }
            let record = EventInput.record(draft.event, parsed, at: topicPartition, now: now)
            var renderer = RecordRenderer(
                plan: plan, clusterID: cluster, group: group,
                targets: RenderedTarget.all(of: connector))
            return renderer.render(record, now: now)
        }
    }

    /// What to ask before several pushes, or a broadcast, go to production; nil when there is
    /// nothing to ask.
    static func question(
        before rendered: RenderedRecord, _ connector: Connector
    ) -> Question? {
        let pushes = rendered.pushes.map(\.notification)
            .filter { connector.apns.apps[$0.app].isReal }
        let real = pushes.map { connector.apns.apps[$0.app] }
        // One broadcast reaches every device that has subscribed to its channel.
        let isBroadcast = pushes.contains(where: \.isBroadcast)
        guard real.count > 1 || isBroadcast, let first = real.first else { return nil }
        let others = Set(real.map(\.bundleID)).count - 1
        let names = first.bundleID + (others > 0 ? " and \(others) more" : "")
        let what = real.count == 1 ? "a broadcast" : "\(real.count) pushes"
        return Question(
            text: "Send \(what) to production (\(names))",
            remedy: "add --yes to send \(what) to production",
            refusal: "Nothing was sent.")
    }
}
