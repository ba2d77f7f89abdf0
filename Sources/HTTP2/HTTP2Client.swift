/// A client's HTTP/2 connection as a byte machine: bytes in, bytes out, no socket.
///
/// Ask ``canSubmit(bodyBytes:)`` before each request; nothing ever queues inside.
public struct HTTP2Client: ~Copyable {
    /// Begins a connection; the preface and the settings wait to be sent.
    public init() {}

    /// Takes bytes from the peer; ask for the events afterwards, even when it throws.
    public mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {}

    /// Writes a request; its events carry `tag`.
    public mutating func submit(
        _ request: borrowing HTTP2Request, tag: Int
    ) throws(HTTP2Error) {}

    /// The next thing that happened, oldest first.
    public mutating func nextEvent() -> HTTP2ClientEvent? { nil }

    /// Lends everything that waits to be sent, and forgets it.
    public mutating func send(_ body: (RawSpan) -> Void) throws(HTTP2Error) {}

    /// There is something to send.
    public var wantsToSend: Bool { false }

    /// How many streams the peer allows now; nil before its settings, `Int.max` without limit.
    public var peerStreamLimit: Int? { nil }

    /// How many requests wait for their answers.
    public var openStreams: Int { 0 }

    /// How many bytes of bodies the connection's flow-control window takes now.
    public var windowForBodies: Int { 0 }

    /// Whether a request with such a body can be written at once.
    public func canSubmit(bodyBytes: Int) -> Bool { false }

    /// Asks for a pong, as proof that the peer is there.
    public mutating func ping(_ opaque: UInt64) {}

    /// Tells the peer that this connection takes leave; open requests go on.
    public mutating func goAway() {}

    /// Gives up a request; no event of it will come. False when it is not open any more.
    @discardableResult
    public mutating func cancel(tag: Int) -> Bool { false }

    /// Ends the connection: names every open request, and whether any byte of it was lent.
    public mutating func abandon(_ body: (_ tag: Int, _ wasSent: Bool) -> Void) {}
}
