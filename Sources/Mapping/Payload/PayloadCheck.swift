internal import Delivery
internal import JSON

/// Checks finished payloads against the rules of their push type.
struct PayloadCheck: ~Copyable {
    private struct Prepared {
        var type: PushType
        var rule: PayloadRule
        var paths: [Int]
        var value: [UInt8]
        var events: [[UInt8]]
    }

    var tape = JSONTape()
    private var table = JSONPathTable()
    private let eventPath: Int
    private let apsPath: Int
    private let silentPath: Int
    private var rules: [Prepared] = []

    init() {
        eventPath = table.add([.member("aps"), .member("event")])
        apsPath = table.add([.member("aps")])
        silentPath = table.add([.member("aps"), .member("content-available")])
        for type in PushType.allCases {
            for rule in PayloadRule.rules(for: type) {
                var value: [UInt8] = []
                if case .equals(let text) = rule.kind { value = Array(text.utf8) }
                let paths = rule.paths.map { table.add($0.map(JSONPathStep.member)) }
                rules.append(
                    Prepared(
                        type: type, rule: rule, paths: paths, value: value,
                        events: rule.events.map { Array($0.utf8) }))
            }
        }
    }

    /// Parses a payload before it is checked; returns the JSON error if there is one.
    mutating func read(_ payload: [UInt8]) -> String? {
        do throws(JSONError) {
            try tape.read(payload)
            return nil
        } catch {
            return "the payload is not valid JSON: \(error)"
        }
    }

    /// The first rule that the parsed payload violates.
    func brokenRule(by payload: [UInt8], of type: PushType, priority: UInt8) -> PayloadRule? {
        for index in rules.indices where rules[index].type == type {
            guard concerns(index, payload), !isKept(index, by: payload) else { continue }
            let rule = rules[index].rule
            guard !rule.exceptions.contains(where: { holds($0, for: payload, priority) }) else {
                continue
            }
            return rule
        }
        return nil
    }

    private func holds(
        _ exception: PayloadRule.Exception, for payload: [UInt8], _ priority: UInt8
    ) -> Bool {
        switch exception {
        case .emptyWithOwnKeys:
            guard let aps = tape.find(apsPath, of: table, in: payload), tape[aps].kind == .object
            else { return false }
            let inside = tape.children(of: aps)
            // A member consists of a name and a value.
            let beside = tape[0].kind == .object && tape.count > 3
            return inside.first == inside.end && beside
        case .silentAtPriorityFive:
            guard priority == 5, let value = tape.find(silentPath, of: table, in: payload) else {
                return false
            }
            return tape.isToken(value, Self.one, in: payload)
        }
    }

    private static let one = Array("1".utf8)

    private func concerns(_ index: Int, _ payload: [UInt8]) -> Bool {
        guard !rules[index].events.isEmpty else { return true }
        guard let event = tape.find(eventPath, of: table, in: payload) else { return false }
        for word in rules[index].events where tape.isText(event, word, in: payload) { return true }
        return false
    }

    private func isKept(_ index: Int, by payload: [UInt8]) -> Bool {
        let found = firstPresent(of: index, in: payload)
        switch rules[index].rule.kind {
        case .oneOf: return found >= 0
        case .noneOf: return found < 0
        case .equals: return found >= 0 && tape.isToken(found, rules[index].value, in: payload)
        }
    }

    /// The first value at the paths of a rule that is present and not null; -1 for none.
    private func firstPresent(of index: Int, in payload: [UInt8]) -> Int {
        for path in rules[index].paths {
            if let node = tape.find(path, of: table, in: payload), tape[node].kind != .null {
                return node
            }
        }
        return -1
    }
}
