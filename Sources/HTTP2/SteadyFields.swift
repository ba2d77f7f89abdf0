/// What a request has in common with the one before it: the values that recur, and where the
/// peer's table has them and the names of all others.
struct SteadyFields {
    /// A value that recurs.
    struct Value {
        /// Where the array is whose elements it is; 0 for an absent value.
        private var address: UInt = 0
        /// The field as one byte; 0 for an absent value.
        private(set) var byte: UInt8 = 0

        init() {}

        /// A value that `field` retains, so that its memory cannot contain any other; nil if it
        /// retains none, or if the index takes more than a byte.
        init?(_ value: [UInt8], _ field: borrowing ConstantField, version: Int) {
            guard !value.isEmpty else { return }
            guard field.version == version, field.holds(value), field.index < 0x7F else {
                return nil
            }
            address = ConstantField.address(of: value)
            byte = 0x80 | UInt8(field.index)
        }

        @inline(__always)
        func holds(_ value: [UInt8]) -> Bool {
            address == 0 ? value.isEmpty : address == ConstantField.address(of: value)
        }
    }

    /// The version of the table that all of this is valid for.
    var version = -1
    var authority = Value()
    var authorization = Value()
    var pushType = Value()
    var priority = Value()
    var topic = Value()
    var identifierName: UInt16 = 0
    var expirationName: UInt16 = 0
    var collapseIDName: UInt16 = 0
}

extension RequestEncoder {
    /// The longest value that recurs in no other request and is written by
    /// ``encodeSteadily(_:)``: its length takes one byte.
    private static let maxNew = 0x7E

    /// Writes a request like the one before it; false if it is not, or is invalid.
    mutating func encodeSteadily(_ request: borrowing HTTP2Request) -> Bool {
        guard steady.version == table.version, !table.hasNewLimit,
            steady.authority.holds(request.authority),
            steady.authorization.holds(request.authorization),
            steady.pushType.holds(request.pushType), steady.priority.holds(request.priority),
            steady.topic.holds(request.topic), request.expiration.count != 1
        else { return false }
        var position = unsafe block
        unsafe Self.put(0x83, &position)  // :method: POST
        unsafe Self.put(0x87, &position)  // :scheme: https
        var isGood = unsafe Self.put(0x04, request.path, &position)
        unsafe Self.put(steady.authority.byte, &position)
        unsafe Self.put(steady.authorization.byte, &position)
        isGood = unsafe Self.put(steady.identifierName, request.identifier, &position) && isGood
        unsafe Self.put(steady.pushType.byte, &position)
        isGood = unsafe Self.put(steady.expirationName, request.expiration, &position) && isGood
        unsafe Self.put(steady.priority.byte, &position)
        unsafe Self.put(steady.topic.byte, &position)
        isGood = unsafe Self.put(steady.collapseIDName, request.collapseID, &position) && isGood
        used = unsafe position - block
        return isGood
    }

    /// Prepares for more requests like this one, which was just written.
    mutating func settle(_ request: borrowing HTTP2Request) {
        guard
            let topic = value(.topic, request.topic),
            let authority = value(.authority, request.authority),
            let authorization = value(.authorization, request.authorization),
            let pushType = value(.pushType, request.pushType),
            let priority = value(.priority, request.priority),
            request.authority.count + request.authorization.count + request.pushType.count
                + request.priority.count + request.topic.count + 4 * Self.maxNew
                <= HeaderFieldCheck.maxLength
        else { return }
        steady = SteadyFields(
            version: table.version, authority: authority, authorization: authorization,
            pushType: pushType, priority: priority, topic: topic,
            identifierName: name(.identifier), expirationName: name(.expiration),
            collapseIDName: name(.collapseID))
    }

    private mutating func value(_ field: RequestField, _ value: [UInt8]) -> SteadyFields.Value? {
        SteadyFields.Value(value, constants[Int(field.rawValue)], version: table.version)
    }

    /// The two bytes of a literal that is never indexed with the field's name from the table; 0 if
    /// the table does not have it, or has it too far back.
    private mutating func name(_ field: RequestField) -> UInt16 {
        guard let index = table.name(of: field), index > 0x0F, index < 0x0F + 0x80 else {
            return 0
        }
        return 0x1F | UInt16(index - 0x0F) << 8
    }

    /// Writes a field that takes a byte, if there is one.
    @inline(__always)
    private static func put(_ byte: UInt8, _ position: inout UnsafeMutablePointer<UInt8>) {
        unsafe position.pointee = byte
        unsafe position += Int(byte >> 7)
    }

    /// Writes a value behind the bytes of its name; false when it must be written in another way,
    /// or is invalid.
    @inline(__always)
    private static func put(
        _ name: UInt16, _ value: [UInt8], _ position: inout UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let count = value.count
        guard count > 0 else { return true }
        guard name != 0, count <= maxNew else { return false }
        let start = UnsafeMutableRawPointer(position)
        unsafe start.storeBytes(of: name.littleEndian, as: UInt16.self)
        // A name of the static table takes one byte.
        let width = name > 0xFF ? 2 : 1
        unsafe start.storeBytes(
            of: UInt8(truncatingIfNeeded: count), toByteOffset: width, as: UInt8.self)
        let isGood = unsafe HeaderFieldCheck.copy(value, to: start + width + 1)
        unsafe position += width + 1 + count
        return isGood
    }
}
