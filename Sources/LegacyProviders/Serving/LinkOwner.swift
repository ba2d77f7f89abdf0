internal import TLS

/// What listens to the links of a ``LinkTable``.
protocol LinkOwner: ~Copyable {
    /// A provider of an app has proved who it is.
    mutating func linkOpened(_ link: Int, app: Int, at now: UInt64)
    /// A provider has sent something.
    mutating func link(_ link: Int, received bytes: RawSpan, at now: UInt64)
    /// A provider has ended its side, and may still listen: nothing more is read.
    mutating func linkFinished(_ link: Int)
    /// Everything that was to be sent is on its way.
    mutating func linkDrained(_ link: Int)
    /// A link that was open is gone. It ended well when the provider closed it after everything
    /// was sent and our side was ended.
    mutating func linkEnded(_ link: Int, isClean: Bool)
    /// Bytes of a link may be read.
    func wantsInput(_ link: Int) -> Bool
}

/// What a link tells people who run the program.
enum LinkEvent {
    case opened(link: Int, app: Int)
    /// The handshake failed; with the certificate where that was the reason.
    case refused(TLSError, CertificateDescription?)
    /// No TLS session could be made for a connection.
    case failed(TLSError)
    case late
    case tooMany
}
