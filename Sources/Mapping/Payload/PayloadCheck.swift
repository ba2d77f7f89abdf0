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
    private var rules: [Prepared] = []

    init() {
        eventPath = table.add([.member("aps"), .member("event")])
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

    /// The first rule that a payload breaks.
    mutating func brokenRule(by payload: [UInt8], of type: PushType) -> PayloadRule? {
        do throws(JSONError) {
            try tape.read(payload)
        } catch {
            return PayloadRule(
                kind: .oneOf, paths: [], words: "the payload is no JSON: \(error)")
        }
        for index in rules.indices where rules[index].type == type {
            guard concerns(index, payload), !isKept(index, by: payload) else { continue }
            return rules[index].rule
        }
        return nil
    }

    private func concerns(_ index: Int, _ payload: [UInt8]) -> Bool {
        guard !rules[index].events.isEmpty else { return true }
        guard let event = tape.find(eventPath, of: table, in: payload) else { return false }
        for word in rules[index].events where tape.isText(event, word, in: payload) { return true }
        return false
    }

    private func isKept(_ index: Int, by payload: [UInt8]) -> Bool {
        var found = -1
        for path in rules[index].paths {
            if let node = tape.find(path, of: table, in: payload), tape[node].kind != .null {
                found = node
            }
        }
        switch rules[index].rule.kind {
        case .oneOf: return found >= 0
        case .noneOf: return found < 0
        case .equals: return found >= 0 && tape.isToken(found, rules[index].value, in: payload)
        }
    }
}
