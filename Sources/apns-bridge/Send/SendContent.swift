internal import Arguments
internal import Configuration
internal import ConnectorTesting
internal import JSON

/// What `send` is to send, from its options.
enum SendContent {
    /// The event in a file, mapped by the connector.
    case event(path: String)
    /// A push in the terms of the command line.
    case draft(PushDraft, AppSettings)

    private typealias Options = SendOptions

    /// Reads the options; refuses those that contradict each other.
    init(_ parsed: ParsedCommand, _ connector: Connector) throws(Refusal) {
        let isAlert = Self.given(parsed, ["alert": Options.alert, "title": Options.title])
        switch (parsed[Options.event], parsed[Options.payload], isAlert) {
        case (let path?, nil, nil):
            try Self.refuseFieldsOfDraft(parsed)
            self = .event(path: path)
        case (nil, let path?, nil):
            try Self.refuseMembersOfAlert(parsed)
            self = try Self.draft(parsed, connector, payload: Self.payload(in: path))
        case (nil, nil, _?):
            let payload = PushDraft.payload(
                title: parsed[Options.title], body: parsed[Options.alert],
                sound: parsed[Options.sound], badge: parsed[Options.badge])
            self = try Self.draft(parsed, connector, payload: payload)
        case (nil, nil, nil):
            throw Refusal(
                text: "error: nothing to send\n"
                    + "  add --alert TEXT, --payload FILE, or the file of an event")
        case (_?, _, _):
            throw Refusal(
                text: "error: an event and \(isAlert ?? "--payload") are mutually exclusive\n"
                    + "  the connector's mapping makes the payload from the event")
        case (nil, _?, let alert?):
            throw Refusal(
                text: "error: --payload and \(alert) are mutually exclusive\n"
                    + "  write the alert into the payload")
        }
    }

    private static func draft(
        _ parsed: ParsedCommand, _ connector: Connector, payload: [UInt8]
    ) throws(Refusal) -> SendContent {
        try refuseFieldsOfRecord(parsed)
        let tokens = parsed[Options.token].map { String(decoding: $0.digits, as: UTF8.self) }
        guard !tokens.isEmpty else {
            throw Refusal(text: "error: no device token\n  add --token TOKEN")
        }
        var draft = PushDraft(to: tokens, payload: payload)
        draft.pushType = parsed[Options.pushType]
        draft.priority = parsed[Options.priority].flatMap { Int($0.rawValue) }
        draft.collapseID = parsed[Options.collapseID]
        draft.expiration = parsed[Options.expiration]
        draft.timeToLive = parsed[Options.timeToLive]?.argumentText
        return .draft(draft, try connector.app(named: parsed[Options.app]))
    }

    private static func payload(in path: String) throws(Refusal) -> [UInt8] {
        let bytes = try EventInput.read(path)
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(bytes)
            return bytes
        } catch {
            let name = path == "-" ? "standard input" : path
            throw Refusal(text: "error: \(name) is not valid JSON: \(error)", code: .badData)
        }
    }
}

// MARK: Options that are not valid together

extension SendContent {
    /// The first option that is given, as written on the command line.
    private static func given<Value>(
        _ parsed: ParsedCommand, _ options: KeyValuePairs<String, Option<Value?>>
    ) -> String? {
        options.first { parsed[$0.value] != nil }.map { "--\($0.key)" }
    }

    private static func refuseFieldsOfDraft(_ parsed: ParsedCommand) throws(Refusal) {
        let name =
            given(parsed, ["push-type": Options.pushType])
            ?? given(parsed, ["priority": Options.priority])
            ?? given(parsed, ["ttl": Options.timeToLive])
            ?? given(parsed, ["badge": Options.badge])
            ?? given(
                parsed,
                [
                    "collapse-id": Options.collapseID, "expiration": Options.expiration,
                    "sound": Options.sound, "app": Options.app,
                ])
        guard let name else { return }
        throw Refusal(
            text: "error: \(name) is not valid with an event\n"
                + "  the connector's mapping sets it; remove the option")
    }

    private static func refuseMembersOfAlert(_ parsed: ParsedCommand) throws(Refusal) {
        let name =
            given(parsed, ["sound": Options.sound]) ?? given(parsed, ["badge": Options.badge])
        guard let name else { return }
        throw Refusal(
            text: "error: --payload and \(name) are mutually exclusive\n"
                + "  write it into the payload")
    }

    private static func refuseFieldsOfRecord(_ parsed: ParsedCommand) throws(Refusal) {
        let name =
            given(parsed, ["key": EventInput.key])
            ?? given(parsed, ["timestamp": EventInput.timestamp])
            ?? (parsed[EventInput.header].isEmpty ? nil : "--header")
        guard let name else { return }
        throw Refusal(text: "error: \(name) is only valid with an event\n  remove it")
    }
}
