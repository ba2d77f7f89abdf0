internal import Delivery
internal import JSON

/// Why a record yields no notification, before it is put into words.
///
/// It is thrown and caught for each faulty record, so it contains no string.
struct MappingFault: Error, Sendable, BitwiseCopyable {
    enum Cause: Sendable, BitwiseCopyable {
        /// No operand is present.
        case absent
        /// The value does not fit its target.
        case unfit(PayloadTarget)
        /// A transform does not accept a value of this type.
        case refused(by: TransformName, ValueShape)
        /// A string or number that the field does not accept.
        case invalid(Reason)
    }

    /// The reason to report; ``Reason/message`` describes the rule.
    enum Reason: Equatable, Sendable, BitwiseCopyable {
        case token, oddToken, tokenCount, tokenList, list
        case collapseIDLength, collapseIDCharacter, expiration, timeToLive
        case bothTimes, eventTime, pushType, notManagement, management, priority, background
        case bundleID, identifier, timestamp, environment, number, encoding
        case app, appEnvironment, noSuchApp, severalApps
        case base64, element, tooManyDigits, time, timeRange, zone, wholeNumber, integerRange
        case labelType, labelLength
        case bundleIDNotAllowed, tooExpensive
        case noDevices, emptyToken, unparsable, spreadAps
        case earlyExpiration, expirationRange, earlyEventTime, eventTimeRange
        case pastExpiration, pastEventTime, unsetExpiration, unsetEventTime
        case zeroEventTime, neverEventTime, neverTimestamp, tooDeep
        case activityTime, staleAfter
        case destination(DestinationFault)
    }

    var cause: Cause
    /// The number of the hole at fault; -1 when it is a whole field.
    var hole: Int32 = -1
}

extension MappingFault {
    /// The field at fault when the expiration is missing.
    var fieldOfExpiration: String {
        switch cause {
        case .invalid(.timeToLive), .invalid(.bothTimes): "ttl"
        default: "expiration"
        }
    }

    /// True when the bundle identifier is valid, but that of an app that is not allowed.
    var isAboutForeignApp: Bool {
        if case .invalid(.bundleIDNotAllowed) = cause { true } else { false }
    }

    /// The field at fault when no app could be chosen.
    var fieldOfApp: String {
        if case .invalid(let reason) = cause { return reason.isAboutApp ? "app" : "bundle_id" }
        return "app"
    }
}

extension MappingFault.Reason {
    /// The machine-readable reason.
    var dropReason: DropReason {
        switch self {
        case .token, .oddToken, .emptyToken: .invalidDeviceToken
        case .destination(let fault): fault.dropReason
        case .tokenCount: .tooManyDeviceTokens
        case .collapseIDLength, .collapseIDCharacter: .invalidCollapseID
        case .expiration, .timeToLive, .bothTimes, .earlyExpiration, .expirationRange,
            .pastExpiration, .unsetExpiration:
            .invalidExpiration
        case .noDevices: .noDevices
        case .unparsable, .tooDeep: .unparsable
        case .spreadAps: .payloadRule
        case .eventTime, .earlyEventTime, .eventTimeRange, .pastEventTime, .unsetEventTime,
            .zeroEventTime, .neverEventTime:
            .invalidEventTime
        case .pushType, .notManagement, .management: .invalidPushType
        case .priority: .invalidPriority
        case .background: .backgroundPriority
        case .bundleID: .invalidBundleID
        case .bundleIDNotAllowed: .bundleIDNotAllowed
        case .tooExpensive: .tooExpensive
        case .identifier: .invalidID
        case .timestamp, .neverTimestamp, .activityTime, .staleAfter: .invalidTimestamp
        case .environment, .appEnvironment: .wrongEnvironment
        case .app, .noSuchApp, .severalApps: .unknownApp
        case .number, .encoding, .tokenList, .list, .base64, .element, .time, .wholeNumber:
            .wrongType
        // A label drops nothing.
        case .labelType, .labelLength: .wrongType
        case .tooManyDigits, .timeRange, .integerRange: .numberOutOfRange
        case .zone: .badZone
        }
    }

    /// True for a value that is not a valid time.
    var isAboutTime: Bool {
        switch self {
        case .expiration, .earlyExpiration, .expirationRange, .pastExpiration, .unsetExpiration,
            .eventTime, .earlyEventTime, .eventTimeRange, .pastEventTime, .unsetEventTime,
            .zeroEventTime, .neverEventTime, .timestamp, .neverTimestamp, .timeToLive,
            .activityTime, .staleAfter:
            true
        default: false
        }
    }

    /// True when choosing an app failed, rather than a bundle identifier being invalid.
    var isAboutApp: Bool { dropReason == .unknownApp || self == .appEnvironment }

    private var managementRule: String {
        let server =
            "a device management server, "
            + String(decoding: BundleIdentifier.managementPrefix, as: UTF8.self) + "…"
        return self == .management
            ? "\(server), sends mdm only" : "mdm takes the bundle identifier of \(server)"
    }

    private static var timeRule: String {
        "it must be " + timeForms
    }
    private static var timeForms: String {
        "a number of seconds, milliseconds, microseconds or nanoseconds since 1970, a"
            + " date, an ISO 8601 time with offset, or an array such as [2026, 1, 31, 10, 0]"
    }
    private static var earlyRule: String {
        "in seconds it would be before 2001: is it a number of days, or a time to live?"
    }
    private static var pastRule: String {
        "it is a date before 2001: is it a default value, or was a number taken for days?"
    }
    private static var unsetRule: String {
        "it is a date before 2001 that stands for no time: \(nullRule)"
    }
    private static var nullRule: String {
        "if the time is unknown, send null and write '?' after the path"
    }
    private static var neverRule: String {
        "it stands for never: devices would ignore all later updates; send the time of the change,"
            + " in seconds since 1970"
    }
    private static var rangeRule: String {
        "in no unit it is a time from 2001 to 2100"
    }

    /// The rule that was violated.
    var message: String {
        switch self {
        case .token: "it contains a character that is not a hexadecimal digit"
        case .oddToken: "it does not have an even number of hexadecimal digits"
        case .tokenCount: "a record can have at most \(Mapper.tokenLimit) device tokens"
        case .tokenList: "it must be an array or a comma-separated string"
        case .list: "it must be an array"
        case .destination(let fault): fault.message
        case .collapseIDLength: "it must have 1 to 64 bytes"
        case .collapseIDCharacter: "it must be printable ASCII"
        case .expiration: Self.timeRule + ", or never"
        case .earlyExpiration, .earlyEventTime: Self.earlyRule
        case .expirationRange, .eventTimeRange: Self.rangeRule
        case .pastExpiration, .pastEventTime: Self.pastRule
        case .unsetExpiration, .unsetEventTime: Self.unsetRule
        case .zeroEventTime: "0 stands for no time: \(Self.nullRule)"
        case .neverEventTime: "it stands for never: \(Self.nullRule)"
        case .neverTimestamp: Self.neverRule
        case .activityTime: "it must be a time from 2001 on: " + Self.timeForms
        case .timeToLive, .staleAfter:
            "it must be a positive duration: 30m, 4h, PT4H or a number of seconds"
        case .noDevices, .emptyToken: "it is empty"
        case .unparsable: "the string is not valid JSON"
        case .tooDeep: "the JSON in the string is \(JSONError.tooDeep)"
        case .spreadAps: "it contains 'aps', which '...' cannot add"
        case .bothTimes: "'ttl' can only be combined with expiration 0"
        case .eventTime: Self.timeRule
        case .pushType: "it is not one of Apple's push types"
        case .notManagement, .management: managementRule
        case .priority: "the push type does not allow it"
        case .background: "background pushes allow only 5"
        case .bundleID: "it must consist of letters, digits, '-' and '.'"
        case .bundleIDNotAllowed:
            "it is not the connector's, and 'apns.allowed_bundle_ids' does not allow it"
        case .tooExpensive: "mapping it would transform more than \(Mapper.workLimit >> 20) MiB"
        case .identifier: "it must be a UUID"
        case .timestamp: "it must be a time from 2001 on, in seconds since 1970"
        case .environment: "it is not the connector's environment"
        case .app: "'apns.apps' has no app with this name"
        case .appEnvironment: "it is not the app's environment"
        case .noSuchApp: "'apns.apps' has no app with this bundle_id and environment"
        case .severalApps: "several apps in 'apns.apps' have this bundle_id and environment"
        case .number: "the string is not a number"
        case .encoding: "it is not valid UTF-8"
        case .base64: "'hex' takes Base64, or at least 64 hexadecimal digits"
        case .element: "'join' does not take objects or arrays inside the array"
        case .tooManyDigits:
            "the result has more than \(DecimalNumber.digitLimit) digits before or after the"
                + " decimal point"
        case .time:
            "'date' takes an epoch number, a date, an ISO 8601 time with offset, or an array such"
                + " as [2026, 1, 31, 10, 0]"
        case .timeRange: "'date' takes numbers from 0 to \(Int64.max)"
        case .wholeNumber: "'plus' and 'minus' take whole numbers"
        case .integerRange: "the number or the result does not fit in 64 bits"
        case .zone: "this machine does not know the time zone"
        case .labelType: "a label must be a string or a number"
        case .labelLength: "a label can have at most \(Mapper.labelByteLimit) bytes"
        }
    }
}
