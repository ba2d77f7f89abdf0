/// The JSON Schema of canonical events, which a connector without `notification:` reads.
///
/// The mapper is authoritative; a test keeps the schema in step with it.
public enum EventSchema {
    /// The schema (draft 2020-12) as JSON that ends in a newline.
    public static let text = String(decoding: PackageResources.event_v1_json, as: UTF8.self)
}
