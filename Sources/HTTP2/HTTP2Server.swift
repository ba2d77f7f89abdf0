/// A server's HTTP/2 connection as a byte machine: bytes in, bytes out, no socket.
public struct HTTP2Server: ~Copyable {
    /// Begins a connection; the settings wait to be sent.
    public init(settings: HTTP2ServerSettings = HTTP2ServerSettings()) {}

    /// Takes bytes from the client; ask for the events afterwards, even when it throws.
    public mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {}

    /// The next thing that happened, oldest first.
    public mutating func nextEvent() -> HTTP2ServerEvent? { nil }

    /// Lends everything that waits to be sent, and forgets it.
    public mutating func send(_ body: (RawSpan) -> Void) throws(HTTP2Error) {}

    /// There is something to send.
    public var wantsToSend: Bool { false }

    /// How many requests are open: begun and not yet answered as a whole.
    public var openStreams: Int { 0 }

    /// Answers a request; throws when its stream is not open any more.
    public mutating func respond(
        stream: Int32, status: Int, fields: [(String, [UInt8])] = [], body: [UInt8] = []
    ) throws(HTTP2Error) {}

    /// Resets a stream with an HTTP/2 error code.
    public mutating func reset(stream: Int32, code: UInt32) {}

    /// Tells the client to go; without `lastStream`, what has come so far is still answered.
    public mutating func goAway(lastStream: Int32? = nil, code: UInt32 = 0, debug: [UInt8] = []) {}

    /// Announces another limit on open streams.
    public mutating func changeStreamLimit(_ limit: Int) {}

    /// Gives back the window that bodies have used, when that is not done by itself.
    public mutating func restoreWindow() {}

    /// Asks for a pong.
    public mutating func ping(_ opaque: UInt64) {}
}
