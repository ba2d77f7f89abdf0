/// Accepts finished log lines; any thread may call it.
public protocol LogSink: Sendable {
    /// Writes one line; it ends in a newline.
    func write(_ line: [UInt8])
}

/// Writes to a descriptor, with one `write(2)` per call, so that lines of several threads never
/// mix.
public struct DescriptorSink: LogSink {
    /// The descriptor.
    public var descriptor: Int32

    /// Standard error.
    public static let standardError = Self(descriptor: 2)
    /// Standard output.
    public static let standardOutput = Self(descriptor: 1)

    /// Creates a sink for a descriptor that it does not own.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes all bytes, ignoring errors.
    public func write(_ line: [UInt8]) { _ = writeAll(line) }

    /// Writes all bytes; returns 0 or the system's error number.
    public func writeAll(_ bytes: [UInt8]) -> Int32 {
        System.write(bytes, to: descriptor)
    }
}
