internal import YAML

/// Reads a scenario; every error contains line, column and what to write instead.
struct ScenarioReader {
    private static let keys = [
        "summary", "seed", "built_in", "latency", "rtt", "settings", "answers", "faults",
    ]
    private static let settingsKeys = [
        "first_stream_limit", "stream_limit", "stream_window", "header_table_size",
        "idle_timeout", "payload_limit", "broadcast", "connections_per_minute",
    ]

    let file: String

    func scenario(bytes: [UInt8]) throws(YAMLError) -> Scenario {
        let root = try NodeReader(
            try YAMLDocument.parse(bytes: bytes, file: file), file: file, keys: Self.keys)
        var responses: [ScriptedResponse] = []
        if !root.has("faults"), !root.has("answers"), !root.has("latency"), !root.has("rtt"),
            !root.has("settings")
        {
            throw root.error(
                root.node, "missing a list of answers or faults",
                "write 'answers:' followed by '- {device_token: dead, status: 410}'")
        }
        for element in try list("answers", of: root, "{device_token: dead, status: 410}") {
            responses.append(try ResponseReader(element, file: file).response())
        }
        if try root.boolean("built_in") ?? true { responses += Scenario.builtIn.responses }
        var scenario = Scenario(responses: responses)
        for element in try list("faults", of: root, "{every: 1000, goaway: {}}") {
            scenario.faults.append(try FaultReader(element, file: file).fault())
        }
        scenario.summary = try root.text("summary", maximum: 200) ?? ""
        scenario.seed = UInt64(try root.integer("seed", 0...Int.max) ?? 1)
        scenario.latency = try root.latency("latency") ?? 0
        scenario.roundTrip = try root.duration("rtt") ?? 0
        scenario.settings = try settings(root)
        return scenario
    }

    private func list(
        _ key: String, of root: NodeReader, _ example: String
    ) throws(YAMLError) -> [YAMLNode] {
        guard let value = root.node[key] else { return [] }
        guard let elements = value.elements else {
            throw root.error(
                value, "missing list of \(key)",
                "write '\(key):' followed by '- \(example)'")
        }
        return elements
    }

    private func settings(_ root: NodeReader) throws(YAMLError) -> ScenarioSettings {
        var settings = ScenarioSettings()
        guard let node = root.node["settings"] else { return settings }
        let reader = try NodeReader(node, file: file, keys: Self.settingsKeys)
        settings.firstStreamLimit = try reader.integer("first_stream_limit", 0...1_000_000)
        settings.streamLimit = try reader.integer("stream_limit", 0...1_000_000)
        settings.streamWindow = try reader.integer("stream_window", 0...0x7FFF_FFFF)
        settings.headerTableSize = try reader.integer("header_table_size", 0...65_536)
        settings.idleTimeout = try reader.duration("idle_timeout")
        settings.payloadLimit = try reader.integer("payload_limit", 1...5120)
        settings.connectionsPerMinute = try reader.integer("connections_per_minute", 1...10_000)
        settings.broadcast = try reader.boolean("broadcast")
        return settings
    }
}
