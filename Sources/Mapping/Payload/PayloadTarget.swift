/// The JSON values accepted at a position in the payload.
enum PayloadTarget: Sendable, Equatable, BitwiseCopyable {
    /// Any value, with its own type.
    case any
    /// A string; a number is written as its digits.
    case text
    /// The same, where the device displays it.
    case shown
    /// The same, or null.
    case textOrNull
    case textOrObject
    case object
    /// An array of strings; numbers are written as their digits.
    case array
    case number
    /// A non-negative integer.
    case count
    /// The number 1.
    case one
    /// The number 1, or 0 for what is not meant.
    case flag
    /// Only `true`.
    case yes
    /// A number from 0 to 1.
    case share
    /// Whole seconds since 1970.
    case seconds
    /// The same, of something that has happened: not never, and not 0.
    case moment
    /// `passive`, `active`, `time-sensitive` or `critical`.
    case interruptionLevel
    /// `start`, `update` or `end`.
    case activityEvent
    /// The ID of a broadcast channel in Base64.
    case channel
    /// The name of a type.
    case typeName

    /// True when only certain strings are accepted.
    var isRestricted: Bool {
        switch self {
        case .interruptionLevel, .activityEvent, .channel, .typeName: true
        default: false
        }
    }

    /// True when a number here has no fraction.
    var isWhole: Bool { [.count, .one, .flag, .seconds, .moment].contains(self) }

    /// Its name in explanations.
    var message: String {
        switch self {
        case .any: "a value"
        case .text, .shown: "a string"
        case .textOrNull: "a string or null"
        case .textOrObject: "a string or an object"
        case .object: "an object"
        case .array: "an array of strings"
        case .number: "a number"
        case .count: "a whole number of at least 0"
        case .one: "the number 1"
        case .flag: "the number 1 or 0"
        case .yes: "true"
        case .share: "a number from 0 to 1"
        case .seconds, .moment: "a time in seconds since 1970"
        case .interruptionLevel: "passive, active, time-sensitive or critical"
        case .activityEvent: "start, update or end"
        case .channel: "the ID of a channel in Base64"
        case .typeName: "the name of a type"
        }
    }
}

extension PayloadTarget {
    /// What to write here.
    var remedy: String? {
        switch self {
        case .any: nil
        case .text, .shown, .textOrNull: "write a string, or ${path}"
        case .textOrObject: "write a string or a map"
        case .object: "write a map"
        case .array: "write a list"
        case .number: "write a number, or \"${path}\""
        case .count: "write a number such as 3, or \"${path | number}\""
        case .one: "write 1"
        case .flag: "write 1, or remove the key"
        case .yes: "write true"
        case .share: "write a number such as 0.5"
        case .seconds, .moment: "write seconds since 1970, or \"${path}\""
        case .interruptionLevel: "write one of these words"
        case .activityEvent: "write one of these words"
        case .channel: "write the ID that 'apns-bridge channels create' has printed, or ${path}"
        case .typeName: "write the name that it has in the app"
        }
    }
}

/// A position in the payload whose members are known.
enum PayloadContext {
    case top, aps, alert, sound, free
    /// The alert of a Live Activity, and a localized string in it.
    case activityAlert, localized

    /// The members known to Apple here; nil where anything is allowed.
    var members: [(name: String, target: PayloadTarget)]? {
        switch self {
        case .top, .free: nil
        case .aps: Self.apsMembers
        case .alert: Self.alertMembers
        case .activityAlert: Self.activityAlertMembers
        case .localized: [("loc-key", .text), ("loc-args", .array)]
        case .sound: [("critical", .number), ("name", .text), ("volume", .share)]
        }
    }

    /// The context of a member's value.
    func context(below name: String) -> PayloadContext {
        switch (self, name) {
        case (.top, "aps"): .aps
        case (.aps, "alert"): .alert
        case (.aps, "sound"): .sound
        case (.activityAlert, "title"), (.activityAlert, "body"): .localized
        default: .free
        }
    }

    /// True for a key of `aps`; some are so only for a Live Activity, and otherwise common names of
    /// an app's own data.
    static func isOfAps(_ key: String, ofActivity isActivity: Bool) -> Bool {
        let onlyOfActivities = ["timestamp", "event", "attributes"]
        return apsMembers.contains { $0.name == key }
            && (isActivity || !onlyOfActivities.contains(key))
    }

    /// Source: Apple, *Generating a remote notification*.
    private static let apsMembers: [(name: String, target: PayloadTarget)] = [
        ("alert", .textOrObject), ("badge", .count), ("sound", .textOrObject),
        ("thread-id", .text), ("category", .text), ("content-available", .flag),
        ("mutable-content", .flag), ("target-content-id", .text),
        ("interruption-level", .interruptionLevel), ("relevance-score", .share),
        ("filter-criteria", .text), ("stale-date", .seconds), ("content-state", .object),
        ("timestamp", .moment), ("event", .activityEvent), ("dismissal-date", .seconds),
        ("attributes-type", .typeName), ("attributes", .object), ("content-changed", .yes),
        ("input-push-token", .one), ("input-push-channel", .channel), ("url-args", .array),
        ("ptt-push-type", .text),
    ]

    /// Source: Apple, *Starting and updating Live Activities with ActivityKit push notifications*.
    private static let activityAlertMembers: [(name: String, target: PayloadTarget)] =
        [("title", .textOrObject), ("body", .textOrObject), ("sound", .text)]
        + alertMembers.filter { $0.name != "title" && $0.name != "body" }

    private static let alertMembers: [(name: String, target: PayloadTarget)] = [
        ("title", .shown), ("subtitle", .shown), ("body", .shown), ("launch-image", .text),
        ("title-loc-key", .shown), ("title-loc-args", .array), ("subtitle-loc-key", .shown),
        ("subtitle-loc-args", .array), ("loc-key", .shown), ("loc-args", .array),
        ("action-loc-key", .textOrNull), ("summary-arg", .text), ("summary-arg-count", .count),
        ("action", .text),
    ]
}
