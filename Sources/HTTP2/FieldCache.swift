internal import CNGHTTP2

/// Remembers each field's last value, so that what a client repeats is not copied again.
struct FieldCache {
    private static let capacity = 24
    private var known: [(name: [UInt8], value: [UInt8])] = []
    /// Where the next field stands, when they come in the same order as before.
    private var next = 0

    /// The field as arrays, shared with earlier requests where it is the same.
    mutating func field(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> (name: [UInt8], value: [UInt8]) {
        if next >= known.count { next = 0 }
        if next < known.count, unsafe Self.equal(known[next].name, name) {
            return unsafe field(at: next, value)
        }
        for index in known.indices where unsafe Self.equal(known[index].name, name) {
            return unsafe field(at: index, value)
        }
        let field = unsafe (name: Array(name), value: Array(value))
        if known.count < Self.capacity { known.append(field) }
        return field
    }

    private mutating func field(
        at index: Int, _ value: UnsafeBufferPointer<UInt8>
    ) -> (name: [UInt8], value: [UInt8]) {
        if unsafe !Self.equal(known[index].value, value) {
            known[index].value = unsafe Array(value)
        }
        next = index + 1
        return known[index]
    }

    private static func equal(_ array: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard array.count == bytes.count else { return false }
        guard let start = bytes.baseAddress else { return true }
        return unsafe apns_bytes_equal(array, start, bytes.count) != 0
    }
}
