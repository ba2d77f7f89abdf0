/// What to do about a response of APNs.
public enum Reaction: String, CaseIterable, Sendable {
    /// APNs accepted the push.
    case accepted
    /// The device token is no longer valid: it is written to the unregistered topic.
    case unregistered
    /// The device token looks wrong: alert someone, delete nothing, do not resend.
    case suspect
    /// Rejected permanently: sending it again would not help.
    case rejected
    /// A credential or configuration error: suspend sending, commit nothing, alert, and probe
    /// slowly.
    case suspend
    /// Not a response of APNs: suspend sending over the route, and probe with different pushes.
    case notAPNs
    /// Rejected for a reason specific to the connection: resend immediately.
    case retryNow
    /// Like ``retryNow``, but only once; the second time like ``suspend``.
    case retryOnce
    /// Rejected temporarily: resend after a back-off, within the deadline.
    case retryLater
}

extension Reaction {
    /// True when the push is not sent again.
    public var isFinal: Bool {
        switch self {
        case .accepted, .unregistered, .suspect, .rejected: true
        case .suspend, .notAPNs, .retryNow, .retryOnce, .retryLater: false
        }
    }

    /// A description for display.
    public var message: String {
        switch self {
        case .accepted: "reported as accepted"
        case .unregistered: "reported as rejected; the device token goes to the unregistered topic"
        case .suspect:
            "reported as rejected and suspect, with a dead letter; the device token stays"
                + " registered"
        case .rejected: "reported as rejected, with a dead letter; not sent again"
        case .suspend: "sending is suspended, offsets are kept, and one push at a time probes"
        case .notAPNs:
            "not trusted: sending is suspended, offsets are kept, and different pushes probe"
        case .retryNow: "sent again immediately over another connection"
        case .retryOnce: "sent once more over a new connection; after that sending is suspended"
        case .retryLater: "sent again after a back-off, until the deadline"
        }
    }

    /// A machine-readable name.
    public var name: String {
        switch self {
        case .accepted, .unregistered, .suspect, .rejected, .suspend: rawValue
        case .notAPNs: "not_apns"
        case .retryNow: "retry_now"
        case .retryOnce: "retry_once"
        case .retryLater: "retry_later"
        }
    }
}
