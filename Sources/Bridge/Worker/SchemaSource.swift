public import Mapping
internal import SchemaRegistry

/// What looks up schemas for workers.
public protocol SchemaSource: Sendable {
    /// Asks for a schema; `reply` may be called several times, on any thread. The last response is
    /// `found`.
    func ask(_ id: SchemaID, _ reply: @escaping @Sendable (SchemaResult) -> Void)
}

extension SchemaRegistry: SchemaSource {}
