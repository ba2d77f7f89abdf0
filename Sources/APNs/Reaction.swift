/// What is to be done about a response of Apple's.
public enum Reaction: String, CaseIterable, Sendable {
    /// Apple took the push.
    case accepted
    /// The device token is dead: tell the unregistered topic.
    case unregistered
    /// The device token looks wrong: tell the people, kill nothing, send nothing again.
    case suspect
    /// Refused for good: sending it again would be refused again.
    case rejected
    /// A credential or configuration fault: stop the line, keep the offsets, alarm, probe slowly.
    case hold
    /// Refused for a reason that another connection does not have: send it again at once.
    case retryNow
    /// As ``retryNow``, but only once; the second time it is a ``hold``.
    case retryOnce
    /// Refused for a while: send it again after a back-off, inside the deadline.
    case retryLater
}

extension Reaction {
    /// What is done, in words for people.
    public var words: String {
        switch self {
        case .accepted: "reported as accepted"
        case .unregistered: "reported as rejected; the unregistered topic hears of the device token"
        case .suspect:
            "reported as rejected and suspect, with a dead letter; no device token is given up"
        case .rejected: "reported as rejected, with a dead letter; not sent again"
        case .hold: "the line of the app is held, offsets are kept, and one push at a time probes"
        case .retryNow: "sent again at once over another connection"
        case .retryOnce: "sent once more over a new connection; after that the line is held"
        case .retryLater: "sent again after a while, until the deadline"
        }
    }

    /// One word for programs.
    public var name: String {
        switch self {
        case .accepted, .unregistered, .suspect, .rejected, .hold: rawValue
        case .retryNow: "retry_now"
        case .retryOnce: "retry_once"
        case .retryLater: "retry_later"
        }
    }
}
