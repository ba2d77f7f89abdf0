/// What is to be done about an answer of Apple's.
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
