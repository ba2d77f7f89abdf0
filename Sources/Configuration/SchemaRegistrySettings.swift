public import Mapping

/// The `schema_registry:` block: where the schemas of records are looked up.
public struct SchemaRegistrySettings: Hashable, Sendable {
    /// What the IDs in front of values are.
    public enum IDs: String, CaseIterable, Sendable {
        /// Of schemas as one group registered them, in Apicurio.
        case global
        /// Of the contents of schemas, in Apicurio.
        case content
    }

    /// The addresses of the registry, without a slash at their ends; the next one is asked when one
    /// does not respond.
    public var urls: [String]
    /// The name of a user, for basic authentication.
    public var username: String?
    /// The password of that user.
    public var password: String?
    /// A bearer token.
    public var token: String?
    /// The path of a PEM file with the certificate authorities to trust; nil for the system's.
    public var caFile: String?
    /// The path of a client certificate in PEM.
    public var certificate: String?
    /// The path of its private key, if that is in a separate file.
    public var certificateKey: String?
    /// How long a request may take.
    public var timeout = Duration.seconds(10)
    /// The number of bytes of an ID in front of a value: 4, or 8 as Apicurio's serializers write
    /// it.
    public var idBytes = 4
    /// What IDs of eight bytes are.
    public var ids = IDs.global
    /// What its schemas are written in.
    public var formats: Set<SchemaEncoding> = [.avro]

    /// Creates settings without authentication.
    public init(urls: [String]) { self.urls = urls }
}
