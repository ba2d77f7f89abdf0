internal import YAML

/// Reads a file of scripted answers; every mistake names its line and what to write instead.
struct AnswersReader {
    private static let rootKeys = ["answers", "built_in"]
    private static let answerKeys = [
        "device_token", "status", "reason", "timestamp", "first", "latency", "lost",
    ]

    let file: String

    func behaviour(bytes: [UInt8]) throws(YAMLError) -> SimulatorBehaviour {
        let root = try YAMLDocument.parse(bytes: bytes, file: file)
        try check(keys: Self.rootKeys, of: root)
        guard let list = root["answers"], let elements = list.elements else {
            throw error(
                root["answers"] ?? root, "there is no list of answers",
                "write 'answers:' and below it '- {device_token: dead, status: 410}'")
        }
        var answers: [ScriptedAnswer] = []
        for element in elements { answers.append(try answer(element)) }
        if try boolean(root, "built_in") ?? true { answers += SimulatorBehaviour.builtIn.answers }
        return SimulatorBehaviour(answers: answers)
    }

    private func answer(_ node: YAMLNode) throws(YAMLError) -> ScriptedAnswer {
        try check(keys: Self.answerKeys, of: node)
        guard let token = node["device_token"] else {
            throw error(
                node, "an answer without 'device_token'",
                "write the digits that the device tokens begin with, or \"\" for all")
        }
        var answer = ScriptedAnswer(tokenPrefix: try prefix(token))
        answer.status = try integer(node, "status", 200...599) ?? 200
        answer.reason = try reason(node)
        answer.timestamp = try integer(node, "timestamp", 0...Int.max).map {
            .at(milliseconds: Int64($0))
        }
        answer.attempts = try integer(node, "first", 1...1_000_000)
        answer.latency = try milliseconds(node) ?? 0
        answer.isLost = try boolean(node, "lost") ?? false
        try checkSense(answer, node)
        return answer
    }

    private func checkSense(_ answer: ScriptedAnswer, _ node: YAMLNode) throws(YAMLError) {
        if answer.status == 200, let reason = node["reason"] {
            throw error(reason, "an accepted push has no reason", "write the 'status' too")
        }
        if answer.reason == nil, let timestamp = node["timestamp"] {
            throw error(timestamp, "a timestamp without a reason", "write the 'reason' too")
        }
        if answer.isLost, let status = node["status"] {
            throw error(status, "a lost request has no status", "remove 'status' or 'lost'")
        }
    }

    private func prefix(_ node: YAMLNode) throws(YAMLError) -> String {
        guard let text = node.text, !node.isNull,
            text.utf8.allSatisfy({ Bytes.hexValue($0) != nil })
        else {
            throw error(
                node, "'device_token' is no text of hexadecimal digits",
                "write the digits that the device tokens begin with")
        }
        return text.lowercased()
    }

    private func reason(_ node: YAMLNode) throws(YAMLError) -> String? {
        guard let value = node["reason"] else { return nil }
        guard let text = value.text, !text.isEmpty, text.count <= 64,
            text.utf8.allSatisfy({ 32...126 ~= $0 && $0 != 34 && $0 != 92 })
        else { throw error(value, "'reason' is no word", "write one like Unregistered") }
        return text
    }

    private func integer(
        _ node: YAMLNode, _ key: String, _ range: ClosedRange<Int>
    ) throws(YAMLError) -> Int? {
        guard let value = node[key] else { return nil }
        guard let number = value.text.flatMap({ Int($0) }), range.contains(number) else {
            let bound = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw error(
                value, "'\(key)' is no such number",
                "write a whole number from \(range.lowerBound) \(bound)")
        }
        return number
    }

    private func boolean(_ node: YAMLNode, _ key: String) throws(YAMLError) -> Bool? {
        guard let value = node[key] else { return nil }
        guard let answer = value.text.flatMap({ Bool($0) }) else {
            throw error(value, "'\(key)' is neither true nor false", "write true or false")
        }
        return answer
    }

    private func milliseconds(_ node: YAMLNode) throws(YAMLError) -> Int? {
        guard let value = node["latency"] else { return nil }
        let units = [("ms", 1), ("s", 1000), ("m", 60_000)]
        for (unit, factor) in units where value.text?.hasSuffix(unit) == true {
            let digits = value.text?.dropLast(unit.count) ?? ""
            if let number = Int(digits), (0...3_600_000).contains(number) {
                return number * factor
            }
        }
        throw error(value, "'latency' is no duration", "write one like 250ms, 2s or 1m")
    }

    private func check(keys: [String], of node: YAMLNode) throws(YAMLError) {
        guard let entries = node.entries else {
            throw error(
                node, "this is no mapping",
                "write 'key: value'; the keys are \(keys.joined(separator: ", "))")
        }
        for (key, _) in entries where !keys.contains(key.text ?? "") {
            throw error(
                key, "unknown key '\(key.text ?? "")'",
                "the keys here are \(keys.joined(separator: ", "))")
        }
    }

    private func error(_ node: YAMLNode, _ message: String, _ remedy: String) -> YAMLError {
        YAMLError(
            file: file, place: node.place, length: node.length, message: message, remedy: remedy)
    }
}
