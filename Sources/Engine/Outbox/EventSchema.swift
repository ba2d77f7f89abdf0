/// The JSON Schema of canonical events: what a connector reads that says nothing of notifications.
///
/// It stands beside the mapper, which is the judge; a test keeps the two in step.
public enum EventSchema {
    /// The schema (draft 2020-12), as JSON text that ends in a newline.
    public static let text = String(decoding: PackageResources.event_v1_json, as: UTF8.self)
}
