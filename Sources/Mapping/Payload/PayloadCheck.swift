internal import Delivery
internal import JSON

/// What is wrong with a payload.
struct PayloadFault {
    var reason: DropReason
    var message: String
    /// The value, where it says more than the message.
    var specifics = ""
    /// The key of a `live_activity` that it is about; nil for the whole.
    var key: ActivityKey?
}

/// Checks payloads against the rules of their push type, on the tape of a text that contains them.
struct PayloadCheck: ~Copyable {
    /// A rule as indices, so that nothing is retained to apply it.
    private struct Prepared: BitwiseCopyable {
        /// The rule's own index.
        var rule: Int
        /// Indices into `paths`.
        var paths: MappingPlan.Run
        /// Indices into `expected`.
        var events: MappingPlan.Run
        var condition: Condition
    }

    private enum Condition: BitwiseCopyable {
        case oneOf, noneOf, exclusive, displays, text
        /// The value is written exactly as the word with this index.
        case equals(Int)
    }

    private var table = JSONPathTable()
    private let eventPath: Int
    private let apsPath: Int
    private let silentPath: Int
    private let alertPath: Int
    private let displayedPaths: [Int]
    private let localizedPath: Int
    private var rules: [PayloadRule] = []
    private var prepared: [Prepared] = []
    /// Indices into `prepared`, by the numbers of push types.
    private var rulesOfTypes: [MappingPlan.Run] = []
    private var paths: [Int] = []
    private var expected: [[UInt8]] = []
    let members = PayloadMembers(ofActivity: false)
    let activityMembers = PayloadMembers(ofActivity: true)
    let one = Array("1".utf8)
    let zero = Array("0".utf8)
    let yes = Array("true".utf8)

    init() {
        eventPath = table.add([.member("aps"), .member("event")])
        apsPath = table.add([.member("aps")])
        silentPath = table.add([.member("aps"), .member("content-available")])
        alertPath = table.add([.member("aps"), .member("alert")])
        var displayed: [Int] = []
        for name in PayloadRule.displayedMembers { displayed.append(table.add([.member(name)])) }
        displayedPaths = displayed
        localizedPath = table.add([.member("loc-key")])
        for type in PushType.allCases {
            let first = Int32(prepared.count)
            for rule in PayloadRule.rules(for: type) { add(rule) }
            rulesOfTypes.append(.init(start: first, end: Int32(prepared.count)))
        }
    }

    private mutating func add(_ rule: PayloadRule) {
        let firstPath = Int32(paths.count)
        paths += rule.paths.map { table.add($0.map(JSONPathStep.member)) }
        let firstEvent = Int32(expected.count)
        expected += rule.events.map { Array($0.utf8) }
        let events = MappingPlan.Run(start: firstEvent, end: Int32(expected.count))
        let condition: Condition
        switch rule.kind {
        case .oneOf: condition = .oneOf
        case .noneOf: condition = .noneOf
        case .exclusive: condition = .exclusive
        case .displays: condition = .displays
        case .text: condition = .text
        case .equals(let word):
            condition = .equals(expected.count)
            expected.append(Array(word.utf8))
        }
        prepared.append(
            Prepared(
                rule: rules.count,
                paths: MappingPlan.Run(start: firstPath, end: Int32(paths.count)), events: events,
                condition: condition))
        rules.append(rule)
    }

    /// What the rules for a payload depend on.
    struct Recipient {
        var type: PushType
        var priority: UInt8
        /// True for an app of Wallet, whose alerts display nothing of the payload.
        var isOfWallet: Bool
        /// True when the members that Apple defines are checked, too.
        var checksMembers: Bool
    }

    /// What is wrong with the payload at a node first; nil if nothing.
    ///
    /// Functions called for each payload are `mutating` even if they change nothing: a method that
    /// only borrows the check would copy it.
    mutating func fault(
        of payload: Int, for recipient: Recipient, on tape: borrowing JSONTape, in text: RawSpan
    ) -> PayloadFault? {
        if recipient.checksMembers,
            let fault = memberFault(of: payload, on: tape, in: text, recipient.type)
        {
            return fault
        }
        return brokenRule(by: payload, for: recipient, on: tape, in: text)
    }

    /// The first rule of its push type that the payload at a node violates.
    private mutating func brokenRule(
        by payload: Int, for recipient: Recipient, on tape: borrowing JSONTape, in text: RawSpan
    ) -> PayloadFault? {
        for index in rulesOfTypes[recipient.type.number].range {
            let candidate = prepared[index]
            if recipient.isOfWallet, case .displays = candidate.condition { continue }
            guard concerns(candidate, payload, on: tape, in: text),
                !isKept(candidate, by: payload, on: tape, in: text)
            else { continue }
            let rule = rules[candidate.rule]
            guard !isExcepted(rule, for: payload, on: tape, in: text, recipient.priority)
            else { continue }
            return PayloadFault(
                reason: rule.reason, message: rule.message,
                key: rule.paths[0].last.flatMap(ActivityKey.init(member:)))
        }
        return nil
    }

    private mutating func isExcepted(
        _ rule: PayloadRule, for payload: Int, on tape: borrowing JSONTape, in text: RawSpan,
        _ priority: UInt8
    ) -> Bool {
        for exception in rule.exceptions {
            switch exception {
            case .emptyWithOwnKeys:
                guard let aps = tape.find(apsPath, of: table, from: payload, in: text),
                    tape[aps].kind == .object
                else { continue }
                let inside = tape.children(of: aps)
                // A member consists of a name and a value.
                let members = tape.children(of: payload)
                if inside.first == inside.end, members.end - members.first > 2 { return true }
            case .silentAtPriorityFive:
                guard priority == 5,
                    let value = tape.find(silentPath, of: table, from: payload, in: text)
                else { continue }
                if tape.isToken(value, one, in: text) { return true }
            }
        }
        return false
    }

    private mutating func concerns(
        _ rule: Prepared, _ payload: Int, on tape: borrowing JSONTape, in text: RawSpan
    ) -> Bool {
        guard !rule.events.isEmpty else { return true }
        guard let event = tape.find(eventPath, of: table, from: payload, in: text) else {
            return false
        }
        for word in rule.events.range where tape.isText(event, expected[word], in: text) {
            return true
        }
        return false
    }

    private mutating func isKept(
        _ rule: Prepared, by payload: Int, on tape: borrowing JSONTape, in text: RawSpan
    ) -> Bool {
        // By itself: the first value is found as the alert, and not once more.
        if case .displays = rule.condition {
            return isDisplayed(rule, payload, on: tape, in: text)
        }
        let found = firstPresent(of: rule, from: payload, on: tape, in: text)
        switch rule.condition {
        case .oneOf: return found >= 0
        case .displays: return true  // It has returned.
        case .noneOf: return found < 0
        case .exclusive:
            let other = firstPresent(of: rule, after: 1, from: payload, on: tape, in: text)
            return other < 0 || other == found
        case .text: return found >= 0 && isText(found, on: tape)
        case .equals(let word): return found >= 0 && tape.isToken(found, expected[word], in: text)
        }
    }

    /// True when a device shows or plays something for a payload: the first path of such a rule is
    /// that of the alert.
    private mutating func isDisplayed(
        _ rule: Prepared, _ payload: Int, on tape: borrowing JSONTape, in text: RawSpan
    ) -> Bool {
        let alert = tape.find(alertPath, of: table, from: payload, in: text)
        guard let alert, tape[alert].kind == .string || tape[alert].kind == .object else {
            return firstPresent(of: rule, from: payload, on: tape, in: text) >= 0
        }
        return displays(alert, on: tape, in: text)
            || firstPresent(of: rule, after: 1, from: payload, on: tape, in: text) >= 0
    }

    /// True for an alert that a device displays: a string, or one of the members that contain text
    /// or name a localized one.
    private mutating func displays(
        _ alert: Int, on tape: borrowing JSONTape, in text: RawSpan
    ) -> Bool {
        if isText(alert, on: tape) { return true }
        for path in displayedPaths {
            guard let member = tape.find(path, of: table, from: alert, in: text) else { continue }
            if isText(member, on: tape) { return true }
            // The title and the body of a Live Activity's alert may be localized.
            if let key = tape.find(localizedPath, of: table, from: member, in: text),
                isText(key, on: tape)
            {
                return true
            }
        }
        return false
    }

    /// True for a string that is not empty.
    private mutating func isText(_ node: Int, on tape: borrowing JSONTape) -> Bool {
        tape[node].kind == .string && tape[node].end > tape[node].start
    }

    /// The first value at the paths of a rule that is present and not null; -1 for none.
    private mutating func firstPresent(
        of rule: Prepared, after skipped: Int = 0, from payload: Int,
        on tape: borrowing JSONTape, in text: RawSpan
    ) -> Int {
        for path in rule.paths.range.dropFirst(skipped) {
            if let node = tape.find(paths[path], of: table, from: payload, in: text),
                tape[node].kind != .null
            {
                return node
            }
        }
        return -1
    }
}
