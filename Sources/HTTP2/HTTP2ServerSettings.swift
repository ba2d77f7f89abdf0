/// A server's SETTINGS and behaviour.
public struct HTTP2ServerSettings: Equatable, Sendable {
    /// How many streams a client may have open; nil announces no limit.
    public var streamLimit: Int?
    /// The flow-control window of each new stream.
    public var streamWindow: Int = 65_535
    /// The size of the table that the client's header compression may use.
    public var headerTableSize: Int = 4096
    /// The longest frame that the client may send.
    public var maxFrameSize: Int = 16_384
    /// The largest header list that the client should send.
    public var maxHeaderListSize: Int = 8000
    /// How many bytes of a body are kept.
    public var bodyLimit: Int = 65_536
    /// Restores the window automatically; otherwise ``HTTP2Server/restoreWindow()`` does.
    public var restoresWindow: Bool = true

    /// Creates the settings of a cooperative server.
    public init(streamLimit: Int? = 1000) { self.streamLimit = streamLimit }
}
