internal import CNGHTTP2

/// The fields of a request as nghttp2 reads them, in storage that is used again.
///
/// Apple asks that `apns-id`, `apns-expiration` and `apns-collapse-id` enter the table of the
/// field compression once and are never indexed afterwards: the names stay in the table, and
/// the ever new values do not push the constant fields out of it.
@safe
struct RequestFields: ~Copyable {
    /// No request has more fields.
    private static let capacity = 11
    /// What all values may have together; nothing of Apple's comes near it.
    private static let longest = 8192
    private let values: UnsafeMutablePointer<UInt8>
    private var used = 0
    /// The fields.
    let list: UnsafeMutablePointer<nghttp2_nv>
    /// How many they are.
    private(set) var count = 0
    private var primed: Set = []

    /// The fields whose value changes with each request.
    private struct Set: OptionSet {
        let rawValue: UInt8
        static let identifier = Set(rawValue: 1)
        static let expiration = Set(rawValue: 2)
        static let collapseID = Set(rawValue: 4)
    }

    init() {
        unsafe values = .allocate(capacity: Self.longest)
        unsafe list = .allocate(capacity: Self.capacity)
    }

    deinit {
        unsafe values.deallocate()
        unsafe list.deallocate()
    }

    /// Copies a request's fields in the order in which they go out.
    mutating func fill(_ request: borrowing HTTP2Request) throws(HTTP2Error) {
        used = 0
        count = 0
        let before = primed
        do throws(HTTP2Error) {
            addConstant(":method", "POST")
            addConstant(":scheme", "https")
            try add(":path", request.path)
            try add(":authority", request.authority)
            try add("authorization", request.authorization)
            try add("apns-id", request.identifier, .identifier)
            try add("apns-push-type", request.pushType)
            // A single digit is always the same one: 0, try once. It costs one byte when indexed.
            let isConstant = request.expiration.count == 1
            try add("apns-expiration", request.expiration, isConstant ? [] : .expiration)
            try add("apns-priority", request.priority)
            try add("apns-topic", request.topic)
            try add("apns-collapse-id", request.collapseID, .collapseID)
            try checkValues(request)
        } catch {
            primed = before
            throw error
        }
    }

    private mutating func addConstant(_ name: StaticString, _ value: StaticString) {
        let start = unsafe UnsafeMutablePointer(mutating: value.utf8Start)
        unsafe put(name, start, value.utf8CodeUnitCount, NGHTTP2_NV_FLAG_NONE)
    }

    private mutating func add(
        _ name: StaticString, _ value: [UInt8], _ kind: Set = []
    ) throws(HTTP2Error) {
        guard !value.isEmpty else { return }
        guard used + value.count <= Self.longest else {
            throw HTTP2Error(
                .fieldsTooLong, "\(name): all fields together pass \(Self.longest) bytes")
        }
        guard !Self.isBlank(value[0]), !Self.isBlank(value[value.count - 1]) else {
            throw HTTP2Error(.badField, "\(name): the value begins or ends with white space")
        }
        let start = unsafe values + used
        unsafe value.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe start.update(from: base, count: bytes.count)
        }
        used += value.count
        let isRepeated = !kind.isEmpty && primed.contains(kind)
        primed.formUnion(kind)
        unsafe put(
            name, start, value.count,
            isRepeated ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE)
    }

    private mutating func put(
        _ name: StaticString, _ value: UnsafeMutablePointer<UInt8>, _ length: Int,
        _ flag: nghttp2_nv_flag
    ) {
        let copying = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        unsafe list[count] = unsafe nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start), value: value,
            namelen: name.utf8CodeUnitCount, valuelen: length,
            flags: UInt8(copying | flag.rawValue))
        count += 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// One look at all values at once; only when it fails, the culprit is searched.
    private func checkValues(_ request: borrowing HTTP2Request) throws(HTTP2Error) {
        var found: UInt8 = 0
        for index in 0..<used {
            let byte = unsafe values[index]
            found |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
        }
        guard found != 0 else { return }
        let fields: [(String, [UInt8])] = [
            (":path", request.path), (":authority", request.authority),
            ("authorization", request.authorization), ("apns-id", request.identifier),
            ("apns-push-type", request.pushType), ("apns-expiration", request.expiration),
            ("apns-priority", request.priority), ("apns-topic", request.topic),
            ("apns-collapse-id", request.collapseID),
        ]
        let culprit = fields.first { $0.1.contains(where: Self.isControl) }
        throw HTTP2Error(
            .badField, "\(culprit?.0 ?? "a field"): the value holds a control character")
    }
}
