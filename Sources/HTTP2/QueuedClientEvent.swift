/// A queued event; the most common one, an accepted request, allocates nothing.
enum QueuedClientEvent {
    /// A 200 with nothing but the `apns-id`, if it is a UUID.
    case accepted(tag: Int, identifier: UInt128?)
    /// Any other event.
    case other(HTTP2ClientEvent)

    /// The event as the owner sees it.
    var event: HTTP2ClientEvent {
        switch self {
        case .accepted(let tag, let identifier):
            .response(tag: tag, HTTP2Response(status: 200, identifier: identifier))
        case .other(let event): event
        }
    }
}
