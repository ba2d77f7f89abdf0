public import APNs
public import Delivery
internal import Encoding

/// A rendered notification: the request that would be sent, or why there is none.
public struct RenderedNotification: Sendable {
    /// What would happen to it.
    public enum Verdict: Equatable, Sendable {
        /// This request would be sent.
        case send(APNsRequest)
        /// It would be dropped before any network use.
        case drop(Drop)
    }

    /// The notification that the mapping produced.
    public var notification: Notification
    /// Its `apns-id`.
    public var id: NotificationID
    /// What would happen to it.
    public var verdict: Verdict
    /// Hints on how to fix a drop, one string per line; empty if there are none.
    public var explanation: [String] = []
    /// Where it would be sent; nil if that is not known.
    public var target: RenderedTarget?

    /// Renders a notification as a worker would at `now`, in milliseconds since 1970.
    public init(_ notification: Notification, id: NotificationID, now: Int64) {
        self.notification = notification
        self.id = id
        if let drop = notification.drop {
            verdict = .drop(drop)
        } else if notification.isExpired(at: now) {
            let end = Timestamp.text(milliseconds: notification.expiresAt ?? now)
            let message =
                "it expired at \(end); the time now is \(Timestamp.text(milliseconds: now))"
            verdict = .drop(Drop(.expired, message))
        } else {
            do throws(APNsRequest.Failure) {
                verdict = .send(try APNsRequest(notification, id: id))
            } catch {
                verdict = .drop(Drop(.unsendable, error.detail))
            }
        }
    }
}

extension RenderedNotification {
    /// The most interesting headers first.
    private static let order = [
        "apns-topic", "apns-channel-id", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id", "apns-id", "apns-request-id",
    ]

    /// The headers that are sent, in display order.
    func headersForPeople(of request: APNsRequest) -> [APNsRequest.Header] {
        let known = Self.order.compactMap { name in request.headers.first { $0.name == name } }
        return known + request.headers.filter { !Self.order.contains($0.name) }
    }
}
