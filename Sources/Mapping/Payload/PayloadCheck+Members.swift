internal import Delivery
internal import JSON

extension PayloadCheck {
    /// What is wrong with a member of the payload that was read; nil if nothing.
    ///
    /// Members unknown to Apple are skipped, and so are null values.
    func memberFault(
        in payload: [UInt8], of type: PushType
    ) -> (reason: DropReason, words: String)? {
        memberFault(of: 0, .top, "", in: payload, type)
    }

    private func memberFault(
        of object: Int, _ context: PayloadContext, _ path: String, in payload: [UInt8],
        _ type: PushType
    ) -> (reason: DropReason, words: String)? {
        guard tape[object].kind == .object else { return nil }
        let known = PayloadMembers.known(in: context, of: type)
        var seen: UInt64 = 0
        var (name, end) = tape.children(of: object)
        while name < end {
            let value = name + 1
            defer { name = tape.next(after: value) }
            guard let place = known.firstIndex(where: { tape.isText(name, $0.name, in: payload) })
            else { continue }
            let member = known[place]
            if seen & 1 << UInt64(place) != 0 {
                return (.payloadRule, "the payload has '\(path)\(member.words)' twice")
            }
            seen |= 1 << UInt64(place)
            if tape[value].kind == .null { continue }
            if let cause = fault(of: value, for: member.target, in: payload) {
                let words = "'\(path)\(member.words)' in the payload must be "
                return (cause, words + member.target.words)
            }
            guard member.context != .free, tape[value].kind == .object else { continue }
            let inside = "\(path)\(member.words)."
            if let fault = memberFault(of: value, member.context, inside, in: payload, type) {
                return fault
            }
        }
        return nil
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
        let token = Array(payload[Int(value.start)..<Int(value.end)])
        switch target.fault(number: token) {
        case nil: return nil
        case .invalid(let reason): return reason.dropReason
        default: return .wrongType
        }
    }

    private static let yes = Array("true".utf8)
}

/// The members known to Apple, by the bytes of their names.
private struct PayloadMembers {
    var name: [UInt8]
    var words: String
    var target: PayloadTarget
    var context: PayloadContext

    static func known(in context: PayloadContext, of type: PushType) -> [PayloadMembers] {
        switch context {
        case .top: top
        case .aps: type == .liveactivity ? activity : aps
        case .alert: alert
        case .activityAlert: activityAlert
        case .localized: localized
        case .sound: sound
        case .free: []
        }
    }

    private static let top = [
        PayloadMembers(name: Array("aps".utf8), words: "aps", target: .object, context: .aps)
    ]
    private static let aps = table(.aps)
    private static let activity = table(.aps).map { member in
        var member = member
        if member.context == .alert { member.context = .activityAlert }
        if member.words == "relevance-score" { member.target = .number }
        return member
    }
    private static let alert = table(.alert)
    private static let activityAlert = table(.activityAlert)
    private static let localized = table(.localized)
    private static let sound = table(.sound)

    private static func table(_ context: PayloadContext) -> [PayloadMembers] {
        (context.members ?? []).map { name, target in
            PayloadMembers(
                name: Array(name.utf8), words: name, target: target,
                context: context.context(below: name))
        }
    }
}
