extension ScriptedAnswer: CustomStringConvertible {
    /// The answer in words: status, reason, and when it is given.
    public var description: String {
        var words = isLost ? "the connection is cut" : "\(status)"
        if let reason { words += " \(reason)" }
        if timestamp != nil { words += " with a timestamp" }
        if latency > 0 { words += " after \(latency) ms" }
        if let attempts {
            words += ", the first \(attempts == 1 ? "time" : "\(attempts) times") of a push"
        }
        return words
    }
}

extension SimulatorBehaviour: CustomStringConvertible {
    /// One line for each answer: how the device token begins, and what is answered.
    public var description: String {
        let prefixes = answers.map { String(decoding: $0.tokenPrefix, as: UTF8.self) + "…" }
        let width = prefixes.map(\.count).max() ?? 0
        let lines = zip(prefixes, answers).map { prefix, answer in
            prefix + String(repeating: " ", count: width - prefix.count + 2) + "\(answer)"
        }
        return lines.joined(separator: "\n")
    }
}
