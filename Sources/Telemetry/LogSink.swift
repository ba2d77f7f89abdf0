/// Takes finished lines of a log; any thread may call it.
public protocol LogSink: Sendable {
    /// Writes one line; it ends in a newline.
    func write(_ line: [UInt8])
}

/// Writes to a descriptor, one `write(2)` a call, so that lines of several threads never mix.
public struct DescriptorSink: LogSink {
    /// Where the bytes go.
    public var descriptor: Int32

    /// Standard error.
    public static let standardError = Self(descriptor: 2)
    /// Standard output.
    public static let standardOutput = Self(descriptor: 1)

    /// Writes to a descriptor that somebody else owns.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes all bytes, and lets a log that nobody can read be.
    public func write(_ line: [UInt8]) { _ = writeAll(line) }

    /// Writes all bytes; returns 0 or the system's number for what went wrong.
    public func writeAll(_ bytes: [UInt8]) -> Int32 {
        System.write(bytes, to: descriptor)
    }
}
