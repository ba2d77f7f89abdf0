internal import CNGHTTP2

/// The fields of a response as nghttp2 reads them, in reused storage.
@safe
struct ResponseFields {
    private var bytes: [UInt8] = []
    private var positions: [(name: Range<Int>, value: Range<Int>, flag: nghttp2_nv_flag)] = []
    private var list = unsafe [nghttp2_nv]()

    /// Copies a response's fields.
    mutating func fill(status: Int, _ fields: [(String, [UInt8])]) {
        bytes.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        addStatus(status)
        for (name, value) in fields { add(name, value) }
    }

    private mutating func addStatus(_ status: Int) {
        bytes.append(contentsOf: Self.statusName)
        bytes.append(UInt8(ascii: "0") + UInt8(status / 100 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(status / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(status % 10))
        let middle = Self.statusName.count
        positions.append((0..<middle, middle..<bytes.count, NGHTTP2_NV_FLAG_NONE))
    }

    private static let statusName = Array(":status".utf8)

    private mutating func add(_ name: String, _ value: [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        let middle = bytes.count
        bytes.append(contentsOf: value)
        // Values that never recur stay out of the dynamic table.
        let isNew = name == "apns-id" || name == "apns-unique-id"
        let flag = isNew ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        positions.append((start..<middle, middle..<bytes.count, flag))
    }

    /// Calls `body` with the fields; nghttp2 copies those it keeps.
    mutating func withList(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32) -> Int32 {
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe list.removeAll(keepingCapacity: true)
            guard let base = buffer.baseAddress else { return 0 }
            for position in positions {
                unsafe list.append(
                    nghttp2_nv(
                        name: base + position.name.lowerBound,
                        value: base + position.value.lowerBound,
                        namelen: position.name.count, valuelen: position.value.count,
                        flags: UInt8(position.flag.rawValue)))
            }
            return unsafe list.withUnsafeBufferPointer { list in
                unsafe body(list.baseAddress, list.count)
            }
        }
    }
}
