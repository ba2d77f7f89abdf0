internal import Delivery
internal import TLS

/// Handles the events of a ``LinkTable``'s links.
protocol LinkOwner: ~Copyable {
    /// A provider of an app has been authenticated.
    mutating func linkOpened(_ link: Int, app: Int, at now: Instant)
    /// A provider has sent something.
    mutating func link(_ link: Int, received bytes: RawSpan, at now: Instant)
    /// A provider has ended its side, and may still listen: nothing more is read.
    mutating func linkFinished(_ link: Int)
    /// Everything that was to be sent is on its way.
    mutating func linkDrained(_ link: Int)
    /// An open link is gone. It ended cleanly if the provider closed it after everything was sent
    /// and our side was shut down.
    mutating func linkEnded(_ link: Int, isClean: Bool)
    /// Bytes of a link may be read.
    func wantsInput(_ link: Int) -> Bool
}

/// An event of a link, for the log.
enum LinkEvent {
    case opened(link: Int, app: Int)
    /// The handshake failed; with the certificate where that was the reason.
    case refused(TLSError, CertificateDescription?)
    /// No TLS session could be made for a connection.
    case failed(TLSError)
    case late
    /// A provider did not finish a TLS record in time.
    case stalled
    case tooMany
    /// A connection that had not finished its handshake made room for a new one.
    case displaced
}
