internal import Arguments
internal import Bridge
internal import Configuration
internal import Telemetry

/// Creates the result topics that connectors lack, and ends: for those who create topics before a
/// bridge starts, which then needs no right to do so.
struct CreateTopicsVerb: Verb {
    static let command = Command(
        "create-topics",
        abstract: "Creates missing result topics, as run --create-topics does, and ends.",
        examples: [
            "apns-bridge create-topics connectors",
            "apns-bridge create-topics --replication-factor 3 connectors/orders.yaml",
        ],
        discussion: """
            Creates the topics that the connector files name in results and source.replay, never \
            source topics, and changes nothing that exists. Topics of a connector are created all \
            or none: none while one of its source topics is missing. Lines about them go to \
            standard error. Keys for APNs need not be there.

            Exit codes: 0 all topics exist; 66 no such file; 69 Kafka unavailable; \
            78 configuration.
            """,
        options: [ProcessOptions.settings, ProcessOptions.replicationFactor],
        arguments: [LoadedConnectors.paths])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        let factor = parsed[ProcessOptions.replicationFactor]
        if let mistake = ProcessOptions.mistake(inReplicationFactor: factor) {
            Console.error("error: \(mistake)")
            return .usage
        }
        let loaded = LoadedConnectors.load(
            paths, mode: .inspectWithKafka, settings: parsed[ProcessOptions.settings])
        if !loaded.diagnostics.isEmpty { Console.error(Diagnostic.report(loaded.diagnostics)) }
        guard !loaded.hasErrors else { return loaded.failure(of: paths) }
        let logger = StandardError.logger(level: .info)
        let connectors = loaded.connectors
        do {
            try await blocking("create-topics") {
                try TopicCreation(replicationFactor: factor).createAll(for: connectors, logger)
            }
            return .success
        } catch let failure as StartFailure {
            Console.error(ResolvedValues(of: connectors).hide(in: "\(failure)"))
            return failure.kind == .configuration ? .configuration : .unavailable
        } catch {
            Console.error("error: \(error)")
            return .unavailable
        }
    }
}
