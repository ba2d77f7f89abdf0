/// The JSON Schemas of the records that the bridge writes.
public enum ResultSchemas {
    /// A schema and its name.
    public struct Schema: Equatable, Sendable {
        /// What it describes: `outcome` or `unregistered`.
        public let name: String
        /// The version in the type of the record, as in `apns-bridge.outcome.v1`.
        public let version: Int
        /// The schema (draft 2020-12) as JSON that ends in a newline.
        public let text: String

        init(_ name: String, _ version: Int, _ bytes: [UInt8]) {
            self.name = name
            self.version = version
            text = String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Every schema, by name.
    public static let all = [
        Schema("outcome", 1, PackageResources.outcome_v1_json),
        Schema("unregistered", 1, PackageResources.unregistered_v1_json),
    ]

    /// The schema with that name; nil when there is none.
    public static func text(named name: String) -> String? {
        all.first { $0.name == name }?.text
    }
}

/// The JSON Schema of canonical events, which a connector without `notification:` reads.
///
/// The mapper is authoritative; a test keeps the schema in step with it.
public enum EventSchema {
    /// The schema (draft 2020-12) as JSON that ends in a newline.
    public static let text = String(decoding: PackageResources.event_v1_json, as: UTF8.self)
}
