/// Sizes such as `65536`, `512KiB`, `64MiB`, `64MB`.
enum ByteCount {
    /// The units: the binary ones are powers of 1024, the others of 1000.
    static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1_073_741_824), ("MiB", 1_048_576), ("KiB", 1024),
        ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000), ("kB", 1000), ("B", 1),
    ]

    /// The size in bytes; nil when the string is not a size.
    static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var name = text.dropFirst(digits.count)
        if name.first == " " { name = name.dropFirst() }
        guard let number = Int(digits) else { return nil }
        if name.isEmpty { return digits.count == text.count ? number : nil }
        guard let unit = units.first(where: { $0.name == name }) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// The shortest exact notation of a size.
    static func text(_ bytes: Int) -> String {
        for unit in units.prefix(3) where bytes >= unit.bytes && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)"
    }
}
