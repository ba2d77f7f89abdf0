internal import CNGHTTP2

/// Remembers each field's last value, so that what a client repeats is not copied again.
struct FieldCache {
    private static let capacity = 24
    private var known: [(name: [UInt8], value: [UInt8])] = []

    /// The field as arrays, shared with earlier requests where it is the same.
    mutating func field(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> (name: [UInt8], value: [UInt8]) {
        for index in known.indices where unsafe Self.equal(known[index].name, name) {
            if unsafe !Self.equal(known[index].value, value) {
                known[index].value = unsafe Array(value)
            }
            return known[index]
        }
        let field = unsafe (name: Array(name), value: Array(value))
        if known.count < Self.capacity { known.append(field) }
        return field
    }

    private static func equal(_ array: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard array.count == bytes.count else { return false }
        guard let start = bytes.baseAddress else { return true }
        return unsafe apns_bytes_equal(array, start, bytes.count) != 0
    }
}
