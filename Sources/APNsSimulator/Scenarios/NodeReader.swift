internal import Spelling
internal import YAML

/// Reads the values of a mapping; every error contains its position and what to write instead.
struct NodeReader {
    let file: String
    let node: YAMLNode

    /// Takes a mapping that may only have these keys.
    init(_ node: YAMLNode, file: String, keys: [String]) throws(YAMLError) {
        self.file = file
        self.node = node
        guard let entries = node.entries else {
            throw error(
                node, "expected a mapping",
                "write 'key: value'; the keys are \(keys.joined(separator: ", "))")
        }
        for (key, _) in entries where !keys.contains(key.text ?? "") {
            let near = Suggestion.nearest(to: key.text ?? "", among: keys)
            throw error(
                key, "unknown key '\(key.text ?? "")'",
                near.map { "did you mean '\($0)'?" }
                    ?? "valid keys: \(keys.joined(separator: ", "))")
        }
    }

    func has(_ key: String) -> Bool { node[key] != nil }

    func error(_ node: YAMLNode, _ message: String, _ remedy: String) -> YAMLError {
        YAMLError(
            file: file, location: node.location, length: node.length, message: message,
            remedy: remedy)
    }

    func integer(_ key: String, _ range: ClosedRange<Int>) throws(YAMLError) -> Int? {
        guard let value = node[key] else { return nil }
        guard let number = value.text.flatMap({ Int($0) }), range.contains(number) else {
            let bound = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw error(
                value, "'\(key)' is not a valid number",
                "write a whole number from \(range.lowerBound) \(bound)")
        }
        return number
    }

    func boolean(_ key: String) throws(YAMLError) -> Bool? {
        guard let value = node[key] else { return nil }
        guard let response = value.text.flatMap({ Bool($0) }) else {
            throw error(value, "'\(key)' must be true or false", "write true or false")
        }
        return response
    }

    /// A key whose value can only be true.
    func flag(_ key: String) throws(YAMLError) -> Bool {
        guard let value = node[key] else { return false }
        guard value.text == "true" else {
            throw error(value, "'\(key)' can only be true", "write true, or remove the key")
        }
        return true
    }

    /// One of a few words.
    func word(_ key: String, _ choices: [String]) throws(YAMLError) -> String? {
        guard let value = node[key] else { return nil }
        guard let text = value.text, choices.contains(text) else {
            let near = value.text.flatMap { Suggestion.nearest(to: $0, among: choices) }
            throw error(
                value, "'\(key)' cannot be '\(value.text ?? "this")'",
                near.map { "did you mean '\($0)'?" }
                    ?? "write one of \(choices.joined(separator: ", "))")
        }
        return text
    }

    /// A string without control characters.
    func text(_ key: String, maximum: Int) throws(YAMLError) -> String? {
        guard let value = node[key] else { return nil }
        guard let text = value.text, text.utf8.count <= maximum,
            text.utf8.allSatisfy({ $0 >= 32 || $0 == 9 || $0 == 10 || $0 == 13 })
        else {
            throw error(value, "'\(key)' must be a string", "write at most \(maximum) bytes")
        }
        return text
    }

    /// One of Apple's reasons, or an invented one.
    func reason(_ key: String) throws(YAMLError) -> String? {
        guard let value = node[key] else { return nil }
        guard let text = value.text, !text.isEmpty, text.count <= 64,
            text.utf8.allSatisfy({ 32...126 ~= $0 && $0 != 34 && $0 != 92 })
        else { throw error(value, "'\(key)' must be a word", "write a word such as Unregistered") }
        return text
    }

    /// A duration in milliseconds, at most a day.
    func duration(_ key: String) throws(YAMLError) -> Int? {
        guard let value = node[key] else { return nil }
        return try duration(value, named: key)
    }

    func duration(_ value: YAMLNode, named key: String) throws(YAMLError) -> Int {
        let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
        for (unit, factor) in units where value.text?.hasSuffix(unit) == true {
            let digits = value.text?.dropLast(unit.count) ?? ""
            if let number = Int(digits), number >= 0, number <= 86_400_000 / factor {
                return number * factor
            }
        }
        throw error(
            value, "'\(key)' is not a duration",
            "write a duration such as 250ms, 2s or 1m, at most 24h")
    }

    /// A share from 0 to 1, written as `10%` or `0.1`.
    func share(_ key: String) throws(YAMLError) -> Double? {
        guard let value = node[key] else { return nil }
        let text = value.text ?? ""
        let isPercent = text.hasSuffix("%")
        let number = Double(isPercent ? String(text.dropLast()) : text)
        let share = number.map { isPercent ? $0 / 100 : $0 }
        guard let share, (0...1).contains(share) else {
            throw error(value, "'\(key)' is not a share", "write a share such as 10% or 0.1")
        }
        return share
    }

    /// A latency: a duration, `{min:, max:}`, or percentiles such as `{p50:, p99:}`.
    func latency(_ key: String) throws(YAMLError) -> Latency? {
        guard let value = node[key] else { return nil }
        guard let entries = value.entries else {
            return .fixed(try duration(value, named: key))
        }
        if value["min"] != nil || value["max"] != nil {
            let range = try NodeReader(value, file: file, keys: ["min", "max"])
            let low = try range.duration("min") ?? 0
            guard let high = try range.duration("max"), low <= high else {
                throw error(
                    value, "the 'max' of '\(key)' is missing or below 'min'",
                    "write both, such as {min: 20ms, max: 80ms}")
            }
            return .uniform(low...high)
        }
        return .percentiles(try percentiles(entries, value, key))
    }

    private func percentiles(
        _ entries: [(key: YAMLNode, value: YAMLNode)], _ whole: YAMLNode, _ key: String
    ) throws(YAMLError) -> [Latency.Percentile] {
        var points: [Latency.Percentile] = []
        for (name, value) in entries {
            guard let text = name.text, text.hasPrefix("p"),
                let percent = Double(text.dropFirst()), (0...100).contains(percent)
            else {
                throw error(
                    name, "unknown key '\(name.text ?? "")'",
                    "write min and max, or percentiles like p50 and p99.9")
            }
            let milliseconds = try duration(value, named: text)
            if let last = points.last,
                last.share >= percent / 100 || last.milliseconds > milliseconds
            {
                throw error(
                    name, "the percentiles of '\(key)' decrease", "write them in increasing order")
            }
            points.append(Latency.Percentile(share: percent / 100, milliseconds: milliseconds))
        }
        guard !points.isEmpty else {
            throw error(
                whole, "'\(key)' is empty",
                "write a duration such as 250ms, or {p50: 40ms, p99: 2s}")
        }
        return points
    }

    /// A period of time: `from`, `until`, `period`.
    func schedule() throws(YAMLError) -> Schedule {
        let from = try duration("from") ?? 0
        let until = try duration("until") ?? .max
        let period = try duration("period")
        if let value = node["until"], until <= from {
            throw error(value, "'until' must be after 'from'", "write a later time")
        }
        if let period, let value = node["period"],
            period == 0 || from >= period || (until != .max && until > period)
        {
            throw error(
                value, "'period' is shorter than the interval that it repeats",
                "write a duration that is at least as long as 'until'")
        }
        return Schedule(from: from, until: until, period: period)
    }
}
