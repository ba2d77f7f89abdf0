internal import Mapping

/// The schemas that a registry has given out, up to a number and a size: the oldest are forgotten
/// first, and looked up again when they are needed.
struct SchemaCache: Sendable {
    /// How many schemas are kept.
    private let limit: Int
    /// How many bytes of them.
    private let byteLimit: Int

    private var schemas: [SchemaID: KnownSchema] = [:]
    /// In the order in which they were found; those before ``first`` are forgotten.
    private var order: [SchemaID] = []
    private var first = 0
    private(set) var byteCount = 0

    init(limit: Int = RecordDecoder.schemaLimit, byteLimit: Int = RecordDecoder.byteLimit) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    var count: Int { schemas.count }

    subscript(_ id: SchemaID) -> KnownSchema? { schemas[id] }

    mutating func remember(_ id: SchemaID, _ schema: KnownSchema) {
        if let old = schemas.updateValue(schema, forKey: id) {
            byteCount -= old.byteCount
        } else {
            order.append(id)
        }
        byteCount += schema.byteCount
        while schemas.count > limit || byteCount > byteLimit, schemas.count > 1 { forgetOldest() }
    }

    private mutating func forgetOldest() {
        if let old = schemas.removeValue(forKey: order[first]) { byteCount -= old.byteCount }
        first += 1
        guard first > order.count / 2 else { return }
        order.removeFirst(first)
        first = 0
    }
}
