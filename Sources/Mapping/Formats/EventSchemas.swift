/// The schemas that a connector is checked with.
public struct EventSchemas: Sendable {
    /// What values can be; nil if that is not known.
    public var value: RecordSchema?
    /// What keys can be; nil if that is not known.
    public var key: RecordSchema?

    /// Creates them.
    public init(value: RecordSchema? = nil, key: RecordSchema? = nil) {
        self.value = value
        self.key = key
    }
}
