internal import Arguments
internal import Bridge
internal import Configuration
internal import ConnectorTesting
internal import Delivery
internal import Engine
internal import EventLoop
internal import Kafka
internal import KafkaLogin
internal import Mapping
internal import SchemaRegistry

/// Shows what a connector makes of one event, without sending anything.
struct RenderVerb: Verb {
    private static let file = Argument<String>(
        "connector", completion: .file, help: "Connector file.")
    private static let event = Argument<String?>(
        "event", completion: .file, help: "File that holds the event; - for standard input.")
    private static let now = Option<TimeWord?>(
        "now", valueName: "TIME", help: "Time to use instead of the clock.")
    private static let topic = Option<String?>(
        "topic", help: "Record topic; defaults to the connector's first named topic.")
    private static let partition = Option<Int>(
        "partition", default: 0, help: "Record partition.")
    private static let offset = Option<Int>("offset", default: 0, help: "Record offset.")

    private static let schemas = Option<[String]>(
        "schema", valueName: "FILE", completion: .file,
        help: "Schema of the event, an .avsc or .proto file: shows what the bridge reads of it.")

    static let command = Command(
        "render",
        abstract: "Shows the requests that an event produces, or why it produces none.",
        examples: [
            "apns-bridge render connectors/orders.yaml connectors/orders.example.json",
            "kcat -C -c 1 -t shop.orders | apns-bridge render connectors/orders.yaml -",
            "apns-bridge render connectors/orders.yaml --topic shop.orders --offset 41",
        ],
        discussion: """
            Nothing is sent. Environment variables and key files need not exist. With --topic \
            and no event, the record is read from Kafka with the connector's own settings, \
            without joining its group. TIME is ISO 8601, or seconds to nanoseconds since 1970.

            Exit codes: 0 something would be sent, or the event is skipped; 1 dropped; 65 the \
            event is not readable; 66 no such file or record; 69 Kafka unavailable; \
            78 configuration.
            """,
        options: [
            schemas, EventInput.key, EventInput.header, EventInput.timestamp, now, topic, partition,
            offset,
            OutputFormat.option,
        ],
        arguments: [file, event])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let path = parsed[file]
        let readsKafka = parsed[event] == nil
        guard !readsKafka || parsed[topic] != nil else {
            Console.error(
                "error: no event: pass a file, - for standard input, or --topic to read from Kafka")
            return .usage
        }
        guard !readsKafka || parsed[schemas].isEmpty else {
            Console.error(
                "error: --schema is only valid with an event: records of a topic name their own")
            return .usage
        }
        let loaded = ConnectorFile.load(
            path: path, environment: ProcessEnvironment.variables,
            mode: readsKafka ? .inspectWithKafka : .inspect)
        let errors = loaded.diagnostics.filter { $0.severity == .error }
        guard let connector = loaded.connector else {
            Console.error(Diagnostic.report(errors))
            return FileSystem.exists(path) ? .configuration : .noInput
        }
        if let problem = locationProblem(connector, parsed) {
            Console.error("error: \(problem)")
            return .usage
        }
        let now = parsed[now]?.milliseconds ?? WallClock.milliseconds
        return readsKafka
            ? showStored(connector, parsed, now: now) : showGiven(connector, parsed, now: now)
    }

    /// Shows the event in a file or on standard input.
    private static func showGiven(
        _ connector: Connector, _ parsed: ParsedCommand, now: Int64
    ) -> ExitCode {
        do throws(Refusal) {
            let value = try EventInput.read(parsed[event] ?? "-")
            let record = EventInput.record(
                try encoded(value, connector, parsed), parsed,
                at: topicPartition(connector, parsed),
                offset: Int64(parsed[offset]), now: now)
            return show(record, connector, parsed, clusterID: "-", now: now)
        } catch {
            Console.error(error.text)
            return error.code
        }
    }

    /// What a connector reads of an event, by its schema if one is given.
    private static func encoded(
        _ event: [UInt8], _ connector: Connector, _ parsed: ParsedCommand
    ) throws(Refusal) -> [UInt8] {
        guard !parsed[schemas].isEmpty else { return event }
        let schema: RecordSchema
        do throws(Diagnostic) {
            schema = try SchemaFiles.load(parsed[schemas])
        } catch {
            let isThere = parsed[schemas].allSatisfy { FileSystem.exists($0) }
            throw Refusal(
                text: Diagnostic.report([error]), code: isThere ? .configuration : .noInput)
        }
        let format = connector.source.format
        guard schema.encoding == format.encoding else {
            throw Refusal(
                text: "error: a schema in \(schema.encoding.name) does not fit the connector's"
                    + " 'format: \(format.rawValue)'", code: .configuration)
        }
        do throws(RecordSchema.SampleFault) {
            return try schema.sample(event)
        } catch {
            throw Refusal(
                text: "error: the event does not fit the schema: \(error.message)",
                code: .badData)
        }
    }

    /// Shows a record read from Kafka.
    private static func showStored(
        _ connector: Connector, _ parsed: ParsedCommand, now: Int64
    ) -> ExitCode {
        do throws(KafkaEvent.Failure) {
            let event = try KafkaEvent.read(
                topicPartition(connector, parsed), offset: Int64(parsed[offset]),
                properties: connector.kafkaProperties)
            return show(
                event.makeRecord(), connector, parsed, clusterID: event.clusterID, now: now,
                schemas: connector.schemaRegistry.map { SchemaRegistry($0) })
        } catch {
            Console.error(connector.resolved.hide(in: "error: \(error.detail)"))
            return error.isMissing ? .noInput : .unavailable
        }
    }

    /// A partition and an offset without the name of a topic, which patterns do not have.
    private static func locationProblem(
        _ connector: Connector, _ parsed: ParsedCommand
    ) -> String? {
        guard parsed[topic] == nil, connector.source.topicNames.isEmpty,
            parsed[partition] != 0 || parsed[offset] != 0
        else { return nil }
        let option = parsed[offset] != 0 ? "--offset" : "--partition"
        return "\(option) needs a topic, and 'source.topics' names none\n"
            + "  add --topic with the name of one that matches"
            + " \(connector.source.topics.entries.joined(separator: " or "))"
    }

    private static func topicPartition(_ connector: Connector, _ parsed: ParsedCommand)
        -> TopicPartition
    {
        TopicPartition(
            topic: parsed[topic] ?? connector.source.firstTopic,
            partition: Int32(clamping: parsed[partition]))
    }

    private static func show(
        _ record: borrowing Record, _ connector: Connector, _ parsed: ParsedCommand,
        clusterID: String, now: Int64, schemas: SchemaRegistry? = nil
    ) -> ExitCode {
        var renderer = RecordRenderer(
            plan: connector.plan, clusterID: clusterID, group: connector.source.group,
            targets: RenderedTarget.all(of: connector), schemas: schemas)
        do throws(SchemaFailure) {
            try renderer.lookUpSchema(of: record)
        } catch {
            Console.error(connector.resolved.hide(in: "error: \(error.description)"))
            return .unavailable
        }
        let rendered = renderer.render(record, now: now)
        Console.output(rendered, of: connector, as: parsed[OutputFormat.option], now: now)
        if rendered.isSkipped || rendered.requestCount > 0 { return .success }
        return rendered.isUnreadable ? .badData : .failure
    }
}
