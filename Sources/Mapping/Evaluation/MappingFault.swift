internal import Delivery

/// Why a record makes no notification, before anybody has put it into words.
///
/// It is thrown and caught for each faulty record, so it holds no text of its own.
struct MappingFault: Error, Sendable, BitwiseCopyable {
    enum Cause: Sendable, BitwiseCopyable {
        /// Nothing is present.
        case absent
        /// The value is not what the place takes.
        case unfit(PayloadTarget)
        /// A transform that takes no value of this type.
        case refused(by: TransformName, ValueShape)
        /// A word or number that the field does not know.
        case invalid(Reason)
    }

    /// Which reason is reported, with the rule in the words of ``Reason/words``.
    enum Reason: Sendable, BitwiseCopyable {
        case token, oddToken, tokenCount, tokenList, bothTokens
        case collapseIDLength, collapseIDCharacter, expiration, timeToLive
        case bothTimes, eventTime, pushType, mdm, priority, background, bundleID, identifier
        case timestamp, environment, number, encoding
        case app, appEnvironment, noSuchApp, severalApps
        case base64, element, tooManyDigits, time, timeRange, zone
    }

    var cause: Cause
    /// The number of the hole that is to blame; -1 when it is a whole field.
    var hole: Int32 = -1
}

extension MappingFault {
    /// The field that is to blame for a fault in the choice of an app.
    var fieldOfApp: String {
        if case .invalid(let reason) = cause { return reason.isAboutApp ? "app" : "bundle_id" }
        return "app"
    }
}

extension MappingFault.Reason {
    /// The reason for programs.
    var dropReason: DropReason {
        switch self {
        case .token, .oddToken, .bothTokens: .invalidDeviceToken
        case .tokenCount: .tooManyDeviceTokens
        case .collapseIDLength, .collapseIDCharacter: .invalidCollapseID
        case .expiration, .timeToLive, .bothTimes: .invalidExpiration
        case .eventTime: .invalidEventTime
        case .pushType, .mdm: .invalidPushType
        case .priority: .invalidPriority
        case .background: .backgroundPriority
        case .bundleID: .invalidBundleID
        case .identifier: .invalidID
        case .timestamp: .invalidTimestamp
        case .environment, .appEnvironment: .wrongEnvironment
        case .app, .noSuchApp, .severalApps: .unknownApp
        case .number, .encoding, .tokenList, .base64, .element, .time: .wrongType
        case .tooManyDigits, .timeRange: .numberOutOfRange
        case .zone: .badZone
        }
    }

    /// True for what is wrong with the choice of an app, not with a bundle identifier.
    var isAboutApp: Bool { dropReason == .unknownApp || self == .appEnvironment }

    /// The rule that is broken.
    var words: String {
        switch self {
        case .token: "it has a character that is no hexadecimal digit"
        case .oddToken: "it is not an even number of hexadecimal digits"
        case .tokenCount: "one record can name \(Mapper.tokenLimit) device tokens at most"
        case .tokenList: "it must be an array, or text with commas"
        case .bothTokens: "'device_token' and 'device_tokens' cannot stand together"
        case .collapseIDLength: "it must have 1 to 64 bytes"
        case .collapseIDCharacter: "it must be printable ASCII"
        case .expiration: "it must be seconds or milliseconds since 1970, or an RFC 3339 time"
        case .timeToLive: "it must be a time span such as 30m or 4h, or seconds, and above 0"
        case .bothTimes: "'ttl' goes only with the expiration 0"
        case .eventTime: "it must be seconds or milliseconds since 1970, or an RFC 3339 time"
        case .pushType: "it is none of Apple's push types"
        case .mdm: "it is for servers that manage devices"
        case .priority: "the push type does not take it"
        case .background: "background pushes take only 5"
        case .bundleID: "it must be letters, digits, '-' and '.', without a push type's suffix"
        case .identifier: "it must be a UUID"
        case .timestamp: "it must be seconds since 1970, not milliseconds"
        case .environment: "it is not the connector's environment"
        case .app: "'apns.apps' has no app of this name"
        case .appEnvironment: "it is not the environment of the app"
        case .noSuchApp: "'apns.apps' has no app with this bundle_id and environment"
        case .severalApps: "several apps of 'apns.apps' have this bundle_id and environment"
        case .number: "its text is no number"
        case .encoding: "it is no UTF-8"
        case .base64: "'hex' takes base64, or 64 hexadecimal digits and more"
        case .element: "'join' takes no objects and no arrays inside the array"
        case .tooManyDigits:
            "the result has more than \(DecimalNumber.digitLimit) digits before or behind the point"
        case .time:
            "'date' takes whole seconds or milliseconds since 1970, or an RFC 3339 time with offset"
        case .timeRange: "'date' takes seconds or milliseconds since 1970, up to the year 5138"
        case .zone: "its time zone is unknown to this machine"
        }
    }
}
