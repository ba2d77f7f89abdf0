/// The type of a push: the value of `apns-push-type`.
///
/// Source: Apple, *Sending notification requests to APNs*.
public enum PushType: String, CaseIterable, Sendable, BitwiseCopyable {
    case alert
    case background
    case voip
    case complication
    case fileprovider
    case liveactivity
    case location
    case pushtotalk
    case widgets
    case controls
    case mdm

    /// The suffix added to the bundle identifier to form the `apns-topic`.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The priorities that APNs accepts for this type.
    public var allowedPriorities: [UInt8] {
        switch self {
        case .background: [5]
        case .liveactivity: [10, 5]
        default: [10, 5, 1]
        }
    }

    /// True if APNs rejects it over a connection with a client certificate.
    public var needsToken: Bool {
        switch self {
        case .liveactivity, .location, .fileprovider, .widgets, .controls: true
        default: false
        }
    }

    /// The priority used when neither the event nor the connector sets one; 0 for none.
    public var defaultPriority: UInt8 {
        switch self {
        case .background, .fileprovider: 5
        case .mdm: 0
        default: 10
        }
    }

    /// True if it belongs to an app: the topic of a device management server takes pushes of type
    /// `mdm` only, and no other topic takes these.
    public func suits(bundleID: [UInt8]) -> Bool {
        BundleIdentifier.isOfManagement(bundleID) == (self == .mdm)
    }

    /// The maximum size of the payload in bytes.
    public var payloadLimit: Int { self == .voip ? 5120 : 4096 }

    /// The index of the type among all types.
    public var number: Int {
        switch self {
        case .alert: 0
        case .background: 1
        case .voip: 2
        case .complication: 3
        case .fileprovider: 4
        case .liveactivity: 5
        case .location: 6
        case .pushtotalk: 7
        case .widgets: 8
        case .controls: 9
        case .mdm: 10
        }
    }
}
