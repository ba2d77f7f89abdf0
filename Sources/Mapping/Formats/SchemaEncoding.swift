/// What a value or key is in whose schema is in a registry.
public enum SchemaEncoding: String, CaseIterable, Sendable {
    /// Apache Avro.
    case avro
    /// Protocol Buffers.
    case protobuf

    /// Its name for people.
    public var name: String {
        switch self {
        case .avro: "Avro"
        case .protobuf: "Protobuf"
        }
    }
}
