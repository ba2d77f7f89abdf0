/// An event as it waits: the one that nearly every request ends with holds no memory.
enum ClientNews {
    /// A 200 with nothing but the `apns-id`, if that is a UUID.
    case accepted(tag: Int, identifier: UInt128?)
    /// Anything else.
    case other(HTTP2ClientEvent)

    /// The event for the owner.
    var event: HTTP2ClientEvent {
        switch self {
        case .accepted(let tag, let identifier):
            .response(tag: tag, HTTP2Response(status: 200, identifier: identifier))
        case .other(let event): event
        }
    }
}
