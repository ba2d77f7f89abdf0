internal import Delivery
internal import JSON

extension PayloadCheck {
    /// What is wrong with a member of the object at a node; nil if nothing.
    ///
    /// Members unknown to Apple are skipped, and so are null values.
    func memberFault(
        of object: Int, on tape: borrowing JSONTape, in text: RawSpan, _ type: PushType
    ) -> PayloadFault? {
        type == .liveactivity
            ? memberFault(of: object, 0, activityMembers, on: tape, in: text)
            : memberFault(of: object, 0, members, on: tape, in: text)
    }

    /// The numbers at Apple's keys that are not written as Apple takes them, in the order of the
    /// text, each with its range and what to write instead.
    func respellings(
        of object: Int, on tape: borrowing JSONTape, in text: RawSpan, _ type: PushType
    ) -> [(range: Range<Int>, token: [UInt8])] {
        type == .liveactivity
            ? respellings(of: object, 0, activityMembers, on: tape, in: text)
            : respellings(of: object, 0, members, on: tape, in: text)
    }

    private func respellings(
        of object: Int, _ parent: Int, _ known: borrowing PayloadMembers,
        on tape: borrowing JSONTape, in text: RawSpan
    ) -> [(range: Range<Int>, token: [UInt8])] {
        var found: [(range: Range<Int>, token: [UInt8])] = []
        tape.forEachMember(of: object, extending: parent, of: known.paths, in: text) {
            path, value in
            let member = known.members[path]
            let range = Int(tape[value].start)..<Int(tape[value].end)
            if tape[value].kind == .number {
                var token: [UInt8] = []
                token.appendBytes(text.extracting(range))
                if member.target.respell(&token) { found.append((range, token)) }
            } else if member.isWalked {
                found += respellings(of: value, path, known, on: tape, in: text)
            }
            return true
        }
        return found
    }

    private func memberFault(
        of object: Int, _ parent: Int, _ known: borrowing PayloadMembers,
        on tape: borrowing JSONTape, in text: RawSpan
    ) -> PayloadFault? {
        var seen: UInt64 = 0
        var found: PayloadFault?
        tape.forEachMember(of: object, extending: parent, of: known.paths, in: text) {
            path, value in
            let member = known.members[path]
            if seen & member.bit != 0 {
                let message = "the payload has '\(known.message(of: path))' twice"
                found = PayloadFault(reason: .payloadRule, message: message)
                return false
            }
            seen |= member.bit
            guard tape[value].kind != .null else { return true }
            if let reason = fault(of: value, for: member.target, on: tape, in: text) {
                let message =
                    "'\(known.message(of: path))' in the payload must be \(member.target.message)"
                found = PayloadFault(
                    reason: reason, message: message,
                    specifics: specifics(of: value, for: member.target, on: tape, in: text))
                return false
            }
            guard member.isWalked else { return true }
            found = memberFault(of: value, path, known, on: tape, in: text)
            return found == nil
        }
        return found
    }

    /// Why a value does not fit a target.
    private func fault(
        of node: Int, for target: PayloadTarget, on tape: borrowing JSONTape, in text: RawSpan
    ) -> DropReason? {
        let value = tape[node]
        let isFit: Bool =
            switch target {
            case .any: true
            case .text, .shown, .textOrNull: value.kind == .string
            case .textOrObject: value.kind == .string || value.kind == .object
            case .object: value.kind == .object
            case .array: value.kind == .array
            case .yes: tape.isToken(node, yes, in: text)
            case .one: tape.isToken(node, one, in: text)
            case .flag: tape.isToken(node, one, in: text) || tape.isToken(node, zero, in: text)
            case .interruptionLevel, .activityEvent, .channel, .typeName:
                tape.text(of: node, in: text).map { target.fault(text: Array($0.utf8)) == nil }
                    ?? false
            case .number, .count, .share, .seconds, .moment: value.kind == .number
            }
        guard isFit else { return .wrongType }
        switch target {
        case .share, .seconds, .moment: return numberFault(of: value, for: target, in: text)
        case .count where !isPlainCount(value, node, on: tape, in: text):
            return numberFault(of: value, for: target, in: text)
        default: return nil
        }
    }

    /// What a number is that was refused as a time, for display; empty for anything else.
    private func specifics(
        of node: Int, for target: PayloadTarget, on tape: borrowing JSONTape, in text: RawSpan
    ) -> String {
        guard target == .seconds || target == .moment, tape[node].kind == .number else { return "" }
        var token: [UInt8] = []
        token.appendJSON(of: node, on: tape, in: text)
        guard case .invalid(.neverTimestamp)? = target.fault(number: token) else {
            return WrittenTime.specifics(of: token)
        }
        return " (\(String(decoding: token, as: UTF8.self)), which stands for never)"
    }

    /// True for one digit, and for every positive integer of usual size.
    private func isPlainCount(
        _ value: JSONNode, _ node: Int, on tape: borrowing JSONTape, in text: RawSpan
    ) -> Bool {
        value.end - value.start == 1 || tape.integer(of: node, in: text).map { $0 > 0 } ?? false
    }

    private func numberFault(
        of value: JSONNode, for target: PayloadTarget, in text: RawSpan
    ) -> DropReason? {
        var token: [UInt8] = []
        token.appendBytes(text.extracting(Int(value.start)..<Int(value.end)))
        switch target.fault(number: token) {
        case nil: return nil
        case .invalid(let reason): return reason.dropReason
        default: return .wrongType
        }
    }
}
