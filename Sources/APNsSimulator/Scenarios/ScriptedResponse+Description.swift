extension ScriptedResponse: CustomStringConvertible {
    /// A description: status, reason, and conditions.
    public var description: String {
        var message = outcomeDescription
        if let latency, !latency.isZero { message += " after \(latency)" }
        if let attempts {
            message += ", the first \(attempts == 1 ? "time" : "\(attempts) times") of a push"
        }
        if let share { message += ", for \(share * 100) % of them" }
        if let interval { message += ", for one of \(interval)" }
        return message
    }

    private var outcomeDescription: String {
        switch outcome {
        case .cut: return "the connection is cut"
        case .silence: return "no response"
        case .reset(let code): return "the stream is reset with \(HTTP2Code.name(of: code))"
        case .response, .half:
            var message = "\(status)"
            if let reason { message += " \(reason)" }
            if timestamp != nil { message += " with a timestamp" }
            return outcome == .half ? "half of " + message : message
        }
    }
}

extension Scenario: CustomStringConvertible {
    /// One line per response: the beginning of the device token, and the response.
    public var description: String {
        let prefixes = responses.map { response in
            let isChannel = response.channelPrefix != nil
            let prefix = response.channelPrefix ?? response.tokenPrefix
            return (isChannel ? "channel " : "") + String(decoding: prefix, as: UTF8.self) + "…"
        }
        let width = prefixes.map(\.count).max() ?? 0
        let lines = zip(prefixes, responses).map { prefix, response in
            prefix + String(repeating: " ", count: width - prefix.count + 2) + "\(response)"
        }
        return lines.joined(separator: "\n")
    }
}
