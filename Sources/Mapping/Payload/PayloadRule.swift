internal import Delivery

/// What the payload of a push type must contain, or must not.
///
/// Source: Apple, *Generating a remote notification* and the pages on each push type.
struct PayloadRule: Sendable {
    enum Kind: Equatable, Sendable {
        /// At least one of the paths is present.
        case oneOf
        /// The same, or the first path leads to an alert that displays something.
        case displays
        /// None of the paths is present.
        case noneOf
        /// At most one of the paths is present.
        case exclusive
        /// The path leads to a string that is not empty.
        case text
        /// The path has this value, written exactly so.
        case equals(String)
    }

    /// What satisfies a rule in another way.
    enum Exception: Sendable {
        /// `aps` is empty and there are other keys: Apple's own examples have such pushes. The
        /// badge stays as it is; `badge: 0` removes it.
        case emptyWithOwnKeys
        /// `aps.content-available: 1` with priority 5: the app is woken.
        case silentAtPriorityFive
    }

    /// What is known about a rule before there is an event.
    enum Verdict { case kept, broken, open }

    var kind: Kind
    var paths: [[String]]
    /// Applies only when `aps.event` is one of these; empty for always.
    var events: [String] = []
    var exceptions: [Exception] = []
    var message: String
    var reason = DropReason.payloadRule

    /// The rules of a push type.
    static func rules(for type: PushType) -> [PayloadRule] {
        switch type {
        case .alert:
            [
                PayloadRule(
                    kind: .displays, paths: shown,
                    exceptions: [.emptyWithOwnKeys, .silentAtPriorityFive],
                    message: "an alert push needs an aps.alert that displays something, aps.badge"
                        + " or aps.sound",
                    reason: .alertEmpty)
            ]
        case .background:
            [
                PayloadRule(
                    kind: .equals("1"), paths: [["aps", "content-available"]],
                    message: "a background push needs aps.content-available: 1"),
                PayloadRule(
                    kind: .noneOf, paths: shown,
                    message: "a background push cannot contain aps.alert, aps.badge or aps.sound"),
            ]
        case .fileprovider:
            [
                withoutAps(type),
                PayloadRule(
                    kind: .oneOf, paths: [["container-identifier"]],
                    message: "a fileprovider push needs container-identifier"),
            ]
        case .mdm:
            [
                withoutAps(type),
                PayloadRule(
                    kind: .text, paths: [["mdm"]],
                    message: "an mdm push needs mdm, the PushMagic that the device has sent"),
            ]
        case .liveactivity: liveActivity
        case .widgets, .controls:
            [
                PayloadRule(
                    kind: .equals("true"), paths: [["aps", "content-changed"]],
                    message: "a \(type.rawValue) push needs aps.content-changed: true")
            ]
        case .voip, .complication, .location, .pushtotalk: []
        }
    }

    private static func withoutAps(_ type: PushType) -> PayloadRule {
        PayloadRule(
            kind: .noneOf, paths: [["aps"]],
            message: "\(type == .mdm ? "an" : "a") \(type.rawValue) push cannot contain aps")
    }

    private static let shown = [["aps", "alert"], ["aps", "badge"], ["aps", "sound"]]
    /// The members of an alert of which one that is not empty displays something.
    static let displayedMembers = [
        "title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key",
    ]

    private static var liveActivity: [PayloadRule] {
        let needs = [
            ("event", []), ("timestamp", []), ("content-state", ["start", "update"]),
            ("attributes-type", ["start"]), ("attributes", ["start"]),
        ]
        let input = PayloadRule(
            kind: .exclusive, paths: [["aps", "input-push-token"], ["aps", "input-push-channel"]],
            message: "aps.input-push-token and aps.input-push-channel are mutually exclusive")
        let alert = PayloadRule(
            kind: .displays, paths: [["aps", "alert"]], events: ["start"],
            message: "a liveactivity push needs aps.alert with a title or body for the event start")
        return needs.map { name, events in
            let event = events.isEmpty ? "" : " for the event \(events.joined(separator: " and "))"
            return PayloadRule(
                kind: .oneOf, paths: [["aps", name]], events: events,
                message: "a liveactivity push needs aps.\(name)\(event)")
        } + [alert, input]
    }
}

extension PayloadRule {
    /// What to write in the payload.
    func remedy(ofBroadcast isBroadcast: Bool) -> String {
        let path = paths[0]
        let name = path.last ?? ""
        switch kind {
        case .equals(let text): return "write aps: {\(name): \(text)}"
        case .noneOf where path == ["aps"]: return "remove aps"
        case .exclusive: return "remove one of them"
        case .noneOf: return "remove them, or write push_type: alert"
        case .displays where !events.isEmpty:
            return "write aps: {alert: {title: \"…\", body: \"…\"}}"
        case .displays:
            return "write aps: {alert: {title: \"…\"}}; for a push that displays nothing, "
                + "push_type: background"
        case .text: return "write payload: {\(name): \"${push_magic}\"}"
        case .oneOf where path.count == 1: return "write \(name): … in the payload"
        case .oneOf where name == "timestamp":
            return "write aps: {timestamp: \"${path.to.time}\"}, in seconds since 1970"
        case .oneOf where name == "event":
            return isBroadcast
                ? "write aps: {event: update}, or end"
                : "write aps: {event: start}, update or end"
        case .oneOf: return "write aps: {\(name): …}"
        }
    }
}
