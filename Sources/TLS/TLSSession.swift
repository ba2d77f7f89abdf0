/// One TLS connection as a byte machine: bytes in, bytes out, no socket.
public struct TLSSession: ~Copyable {
    /// Begins a client's session, which accepts only a server that proves to be `hostName`.
    public init(client context: TLSContext, hostName: String) throws(TLSError) {}

    /// Begins a server's session.
    public init(server context: TLSContext) throws(TLSError) {}

    /// Both sides have proved themselves; only now can anything be written.
    public var isEstablished: Bool { false }

    /// The application protocol that both sides agreed on.
    public var negotiatedProtocol: String? { nil }

    /// Ciphertext waits to be sent.
    public var hasOutput: Bool { false }

    /// Writes the client's first message; a server has nothing to do.
    public mutating func start() throws(TLSError) {}

    /// Takes bytes from the peer and drives the handshake; read afterwards.
    ///
    /// When it throws, send what output there is: an alert that tells the peer why.
    public mutating func receive(_ ciphertext: RawSpan) throws(TLSError) {}

    /// Lends all plaintext that has arrived, in pieces of at most 16 KB.
    ///
    /// Answers false when the peer has ended its side.
    public mutating func read(_ body: (RawSpan) -> Void) throws(TLSError) -> Bool { true }

    /// Encrypts plaintext into the output.
    public mutating func write(_ plaintext: RawSpan) throws(TLSError) {}

    /// Lends the waiting ciphertext; `body` answers how many bytes of it were taken.
    public mutating func withOutput(_ body: (RawSpan) -> Int) {}

    /// Ends our side: puts a close_notify into the output.
    public mutating func close() {}
}
