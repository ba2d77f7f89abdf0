public import APNs
public import Delivery
internal import Encoding

/// One notification of a record, examined: the request that would go out, or why none does.
public struct RenderedNotification: Sendable {
    /// What would become of it.
    public enum Verdict: Equatable, Sendable {
        /// This request would be sent.
        case send(APNsRequest)
        /// It would be dropped before any network use.
        case drop(Drop)
    }

    /// What mapping made.
    public var notification: Notification
    /// Its `apns-id`.
    public var id: NotificationID
    /// What would become of it.
    public var verdict: Verdict
    /// What helps to fix a drop, line by line; empty where nothing more can be said.
    public var explanation: [String] = []

    /// Looks at a notification as a worker does at `now`, in milliseconds since 1970.
    public init(_ notification: Notification, id: NotificationID, now: Int64) {
        self.notification = notification
        self.id = id
        if let drop = notification.drop {
            verdict = .drop(drop)
        } else if notification.isExpired(at: now) {
            let end = Timestamp.text(milliseconds: notification.expiresAt ?? now)
            let words = "it expired at \(end); the time now is \(Timestamp.text(milliseconds: now))"
            verdict = .drop(Drop(.expired, words))
        } else {
            do throws(APNsRequest.Failure) {
                verdict = .send(try APNsRequest(notification, id: id))
            } catch {
                verdict = .drop(Drop(.unsendable, error.detail))
            }
        }
    }
}
