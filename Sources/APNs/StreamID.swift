/// Where a request was sent.
public struct StreamID: Equatable, Sendable, BitwiseCopyable {
    /// The number of the connection within its worker.
    public var connection: UInt64
    /// The ID of the HTTP/2 stream.
    public var stream: Int32

    /// Creates a place.
    public init(connection: UInt64, stream: Int32) {
        self.connection = connection
        self.stream = stream
    }
}
