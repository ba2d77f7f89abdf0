internal import YAML

/// Reads one element of `faults`.
struct FaultReader {
    private static let moments = ["at", "request", "every", "refusals"]
    private static let events = ["goaway", "settings", "cut", "garbage"]
    private static let states = ["silence", "windows", "read_rate", "forbid", "refuse", "tls"]
    private static let keys =
        ["at", "from", "until", "period", "request", "every", "refusals", "connection", "share"]
        + events + states

    private let reader: NodeReader

    init(_ node: YAMLNode, file: String) throws(YAMLError) {
        reader = try NodeReader(node, file: file, keys: Self.keys)
    }

    func fault() throws(YAMLError) -> ScriptedFault {
        let effects = (Self.events + Self.states).filter(reader.has)
        guard let name = effects.first else {
            let all = (Self.events + Self.states).joined(separator: ", ")
            throw reader.error(
                reader.node, "a fault without an effect", "write one of \(all)")
        }
        if effects.count > 1, let second = reader.node[effects[1]] {
            throw reader.error(
                second, "'\(effects[0])' and '\(effects[1])' in one fault",
                "write a separate fault for each")
        }
        let isEvent = Self.events.contains(name)
        let effect: ScriptedFault.Effect =
            isEvent ? .event(try event(name)) : .state(try state(name))
        let fault = ScriptedFault(
            effect, try moment(name, isEvent: isEvent),
            connection: try reader.integer("connection", 1...1_000_000_000),
            share: try reader.share("share"))
        try checkSense(name)
        return fault
    }

    private func event(_ name: String) throws(YAMLError) -> ScriptedFault.Event {
        switch name {
        case "goaway": return .goAway(try goAway())
        case "settings": return .settings(try settings())
        case "cut":
            let word = try reader.word("cut", ConnectionCut.allCases.map(\.rawValue)) ?? ""
            return .cut(ConnectionCut(rawValue: word) ?? .end)
        default:
            _ = try reader.flag("garbage")
            return .garbage
        }
    }

    private func state(_ name: String) throws(YAMLError) -> ScriptedFault.State {
        switch name {
        case "silence":
            _ = try reader.flag("silence")
            return .silence
        case "windows":
            _ = try reader.word("windows", ["closed"])
            return .closedWindows
        case "read_rate":
            return .slowReading(bytesPerSecond: try reader.integer("read_rate", 1...1 << 30) ?? 1)
        case "forbid": return .forbidding(reason: try reader.reason("forbid") ?? "")
        case "refuse":
            _ = try reader.flag("refuse")
            return .refusal
        default:
            let word = try reader.word("tls", TLSFault.allCases.map(\.rawValue)) ?? ""
            return .tls(TLSFault(rawValue: word) ?? .refused)
        }
    }

    private func moment(
        _ name: String, isEvent: Bool
    ) throws(YAMLError) -> ScriptedFault.Moment {
        let given = Self.moments.filter(reader.has)
        if given.count > 1, let second = reader.node[given[1]] {
            throw reader.error(
                second, "'\(given[0])' and '\(given[1])' in one fault", "remove one of them")
        }
        if let number = try reader.integer("request", 1...1_000_000_000) { return .request(number) }
        if let number = try reader.integer("refusals", 1...1_000_000_000) {
            return .refusals(number)
        }
        if let interval = try reader.integer("every", 1...1_000_000_000) {
            return .everyRequest(interval)
        }
        var schedule = try reader.schedule()
        if let at = try reader.duration("at") { schedule.from = at }
        if isEvent, given.isEmpty, !reader.has("from") {
            throw reader.error(
                reader.node, "'\(name)' has no trigger",
                "write 'at: 5s', 'request: 100', 'every: 1000' or 'refusals: 50'")
        }
        return .time(schedule)
    }

    /// Rejects combinations that can be written but would never happen.
    private func checkSense(_ name: String) throws(YAMLError) {
        let lasts = Self.states.contains(name)
        let atOpening = name == "refuse" || name == "tls"
        let senseless: [(key: String, isWrong: Bool)] = [
            ("at", lasts), ("every", lasts),
            ("request", atOpening), ("refusals", atOpening),
            ("connection", name == "refuse"), ("share", name == "refuse"),
            ("until", !lasts),
        ]
        for (key, isWrong) in senseless where isWrong {
            guard let node = reader.node[key] else { continue }
            let remedy =
                key == "at" ? "write 'from' and 'until' for a fault that lasts" : "remove '\(key)'"
            throw reader.error(node, "'\(key)' has no effect with '\(name)'", remedy)
        }
    }

    private func goAway() throws(YAMLError) -> ScriptedGoAway {
        var goAway = ScriptedGoAway()
        guard let node = reader.node["goaway"] else { return goAway }
        let inner = try NodeReader(
            node, file: reader.file,
            keys: ["code", "reason", "debug", "last_stream", "second_after", "close"])
        if let code = try inner.word("code", HTTP2Code.names) {
            goAway.code = HTTP2Code.number(of: code) ?? 0
        }
        if let reason = try inner.text("reason", maximum: 64) {
            goAway.debug = [UInt8]("{\"reason\":\"\(reason)\"}".utf8)
        }
        if let debug = try inner.text("debug", maximum: 4096) {
            goAway.debug = [UInt8](debug.utf8)
        }
        goAway.processesWhatCame =
            try inner.word("last_stream", ["newest", "none"]) != "none"
        goAway.secondAfter = try inner.duration("second_after")
        goAway.closes = try inner.boolean("close") ?? true
        return goAway
    }

    private func settings() throws(YAMLError) -> ScriptedSettings {
        var settings = ScriptedSettings()
        guard let node = reader.node["settings"] else { return settings }
        let inner = try NodeReader(
            node, file: reader.file, keys: ["stream_limit", "stream_window"])
        settings.streamLimit = try inner.integer("stream_limit", 0...1_000_000)
        settings.streamWindow = try inner.integer("stream_window", 0...0x7FFF_FFFF)
        return settings
    }
}
