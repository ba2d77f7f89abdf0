/// Nouns with a regular plural.
public enum Plural {
    /// A number with its noun, for example `1 file` or `3 files`.
    public static func counted(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
