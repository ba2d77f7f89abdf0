internal import Encoding
internal import YAML

/// Reads one element of `answers`.
struct ResponseReader {
    private static let keys = [
        "device_token", "channel", "topic", "first", "from", "until", "period", "share", "every",
        "status", "reason", "timestamp", "body", "retry_after", "latency",
        "lost", "cut", "silence", "reset", "half",
    ]
    /// At least one of these selects pushes.
    private static let conditions = [
        "device_token", "channel", "topic", "from", "until", "share", "every",
    ]
    /// At most one of these replaces the complete response.
    private static let outcomes = ["lost", "cut", "silence", "reset"]

    private let reader: NodeReader

    init(_ node: YAMLNode, file: String) throws(YAMLError) {
        reader = try NodeReader(node, file: file, keys: Self.keys)
    }

    func response() throws(YAMLError) -> ScriptedResponse {
        guard Self.conditions.contains(where: reader.has) else {
            throw reader.error(
                reader.node, "an answer without 'device_token'",
                "write the digits that the device tokens start with, or \"\" for all")
        }
        var response = ScriptedResponse(tokenPrefix: try prefix() ?? "")
        response.channelPrefix = try channel()
        response.topic = try reader.text("topic", maximum: 255).map { [UInt8]($0.utf8) }
        response.attempts = try reader.integer("first", 1...1_000_000)
        response.schedule = try reader.schedule()
        response.share = try reader.share("share")
        response.interval = try reader.integer("every", 1...1_000_000_000)
        response.status = try reader.integer("status", 200...599) ?? 200
        response.reason = try reader.reason("reason")
        response.timestamp = try timestamp()
        response.body = try reader.text("body", maximum: 16_384).map { [UInt8]($0.utf8) }
        response.retryAfter = try reader.duration("retry_after").map { ($0 + 999) / 1000 }
        response.latency = try reader.latency("latency")
        response.outcome = try outcome()
        try checkSense(response)
        return response
    }

    private func outcome() throws(YAMLError) -> ScriptedResponse.Outcome {
        let given = Self.outcomes.filter(reader.has)
        if given.count > 1, let second = reader.node[given[1]] {
            throw reader.error(
                second, "'\(given[0])' and '\(given[1])' are mutually exclusive",
                "remove one of them")
        }
        if try reader.boolean("lost") == true { return .cut(.end) }
        if try reader.flag("silence") { return .silence }
        if let cut = try reader.word("cut", ConnectionCut.allCases.map(\.rawValue)) {
            return .cut(ConnectionCut(rawValue: cut) ?? .end)
        }
        if let name = try reader.word("reset", HTTP2Code.names) {
            return .reset(HTTP2Code.number(of: name) ?? 0)
        }
        return try reader.flag("half") ? .half : .response
    }

    private func checkSense(_ response: ScriptedResponse) throws(YAMLError) {
        if response.status == 200, let reason = reader.node["reason"] {
            throw reader.error(reason, "an accepted push has no reason", "also write 'status'")
        }
        if response.reason == nil, let timestamp = reader.node["timestamp"] {
            throw reader.error(timestamp, "a timestamp without a reason", "also write 'reason'")
        }
        if response.reason != nil, let body = reader.node["body"] {
            throw reader.error(
                body, "'body' and 'reason' are mutually exclusive",
                "remove 'reason', or include it in 'body'")
        }
        guard response.outcome != .response, response.outcome != .half else { return }
        let name = Self.outcomes.first(where: reader.has) ?? "lost"
        for key in ["status", "reason", "body", "retry_after", "half"] {
            guard let node = reader.node[key] else { continue }
            let thing = name == "lost" ? "a lost request" : "a request with '\(name)'"
            throw reader.error(node, "\(thing) has no \(key)", "remove '\(key)' or '\(name)'")
        }
    }

    private func prefix() throws(YAMLError) -> String? {
        guard let node = reader.node["device_token"] else { return nil }
        guard let text = node.text, !node.isNull,
            text.utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil })
        else {
            throw reader.error(
                node, "'device_token' must be a string of hexadecimal digits",
                "write the digits that the device tokens start with")
        }
        return text.lowercased()
    }

    private func channel() throws(YAMLError) -> [UInt8]? {
        guard let node = reader.node["channel"] else { return nil }
        if reader.has("device_token") {
            throw reader.error(
                node, "'device_token' and 'channel' are mutually exclusive", "remove one of them")
        }
        guard let text = node.text, !node.isNull,
            BroadcastChannel.isBeginning([UInt8](text.utf8))
        else {
            throw reader.error(
                node, "'channel' is not a prefix of a Base64 identifier",
                "write a prefix of the channel's identifier, or \"\" for all broadcasts")
        }
        return [UInt8](text.utf8)
    }

    private func timestamp() throws(YAMLError) -> ScriptedResponse.Timestamp? {
        guard let value = reader.node["timestamp"] else { return nil }
        if let text = value.text, text.hasSuffix(" ago") {
            var inner = value
            inner.kind = .scalar(text: String(text.dropLast(4)), style: .plain)
            return .ago(
                milliseconds: Int64(try reader.duration(inner, named: "timestamp")))
        }
        return try reader.integer("timestamp", 0...Int.max).map { .at(milliseconds: Int64($0)) }
    }
}
