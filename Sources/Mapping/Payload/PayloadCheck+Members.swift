internal import Delivery
internal import JSON

extension PayloadCheck {
    /// What is wrong with a member of the payload that was read; nil if nothing.
    ///
    /// Members unknown to Apple are skipped, and so are null values.
    func memberFault(
        in payload: [UInt8], of type: PushType
    ) -> (reason: DropReason, words: String)? {
        memberFault(of: 0, .top, in: payload, type).map { ($0.reason, $0.words) }
    }

    private func memberFault(
        of object: Int, _ context: PayloadContext, in payload: [UInt8], _ type: PushType
    ) -> MemberFault? {
        guard tape[object].kind == .object else { return nil }
        let known = PayloadMembers.known(in: context, of: type)
        var seen: UInt64 = 0
        var (name, end) = tape.children(of: object)
        while name < end {
            let value = name + 1
            let place = known.names.index(of: name, on: tape, in: payload)
            name = tape.next(after: value)
            guard let place else { continue }
            guard seen & 1 << UInt64(place) == 0 else {
                return MemberFault(reason: .payloadRule, path: known.words[place])
            }
            seen |= 1 << UInt64(place)
            if let fault = fault(of: value, for: known.members[place], in: payload, type) {
                return fault.inside(known.words[place])
            }
        }
        return nil
    }

    /// What is wrong with the value of a member; its path begins behind the member's name.
    private func fault(
        of value: Int, for member: PayloadMembers.Member, in payload: [UInt8], _ type: PushType
    ) -> MemberFault? {
        let kind = tape[value].kind
        if kind == .null { return nil }
        if let cause = fault(of: value, for: member.target, in: payload) {
            return MemberFault(reason: cause, path: "", target: member.target)
        }
        guard member.context != .free, kind == .object else { return nil }
        return memberFault(of: value, member.context, in: payload, type)
    }

    /// Why a value does not fit a target.
    private func fault(
        of node: Int, for target: PayloadTarget, in payload: [UInt8]
    ) -> DropReason? {
        let value = tape[node]
        let isFit: Bool =
            switch target {
            case .any: true
            case .text: value.kind == .string
            case .textOrObject: value.kind == .string || value.kind == .object
            case .object: value.kind == .object
            case .array: value.kind == .array
            case .yes: tape.isToken(node, Self.yes, in: payload)
            case .interruptionLevel, .activityEvent:
                tape.text(of: node, in: payload).map { target.fault(text: Array($0.utf8)) == nil }
                    ?? false
            case .number, .count, .one, .share, .seconds: value.kind == .number
            }
        guard isFit else { return .wrongType }
        guard value.kind == .number, target != .any else { return nil }
        // One digit is a count without more ado.
        if target == .count, value.end - value.start == 1 { return nil }
        let token = Array(payload[Int(value.start)..<Int(value.end)])
        switch target.fault(number: token) {
        case nil: return nil
        case .invalid(let reason): return reason.dropReason
        default: return .wrongType
        }
    }

    private static let yes = Array("true".utf8)
}

/// What is wrong with a member of a payload.
private struct MemberFault {
    var reason: DropReason
    /// The names that lead to the member, with dots between them.
    var path: String
    /// What its value must be; nil when the member occurs twice.
    var target: PayloadTarget?

    /// The same fault, seen from the object around it.
    func inside(_ name: String) -> MemberFault {
        var outer = self
        outer.path = path.isEmpty ? name : "\(name).\(path)"
        return outer
    }

    var words: String {
        guard let target else { return "the payload has '\(path)' twice" }
        return "'\(path)' in the payload must be \(target.words)"
    }
}

/// The members known to Apple in one kind of object.
private struct PayloadMembers {
    struct Member {
        var target: PayloadTarget
        var context: PayloadContext
    }

    var names: JSONNames
    /// In the order of the names.
    var members: [Member]
    var words: [String]

    init(_ rows: [(name: String, member: Member)]) {
        words = rows.map(\.name)
        names = JSONNames(words)
        members = rows.map(\.member)
    }

    static func known(in context: PayloadContext, of type: PushType) -> PayloadMembers {
        switch context {
        case .top: top
        case .aps: type == .liveactivity ? activity : aps
        case .alert: alert
        case .activityAlert: activityAlert
        case .localized: localized
        case .sound: sound
        case .free: none
        }
    }

    private static let top = PayloadMembers([("aps", Member(target: .object, context: .aps))])
    private static let none = PayloadMembers([])
    private static let aps = PayloadMembers(rows(.aps))
    private static let activity = PayloadMembers(
        rows(.aps).map { name, member in
            var member = member
            if member.context == .alert { member.context = .activityAlert }
            if name == "relevance-score" { member.target = .number }
            return (name, member)
        })
    private static let alert = PayloadMembers(rows(.alert))
    private static let activityAlert = PayloadMembers(rows(.activityAlert))
    private static let localized = PayloadMembers(rows(.localized))
    private static let sound = PayloadMembers(rows(.sound))

    private static func rows(_ context: PayloadContext) -> [(name: String, member: Member)] {
        (context.members ?? []).map { name, target in
            (name, Member(target: target, context: context.context(below: name)))
        }
    }
}
