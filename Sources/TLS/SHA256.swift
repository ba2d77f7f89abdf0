/// The hash function SHA-256.
public enum SHA256 {
    /// Hashes bytes into 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] { [] }

    /// Hashes lent bytes into 32 bytes.
    public static func hash(_ bytes: RawSpan) -> [UInt8] { [] }
}
