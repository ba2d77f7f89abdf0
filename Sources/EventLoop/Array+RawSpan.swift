extension [UInt8] {
    /// Calls `body` with the bytes in the form that sockets use.
    public func withRawSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(span.bytes)
    }
}

extension [UInt8] {
    /// Copies borrowed bytes.
    public init(copying bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
