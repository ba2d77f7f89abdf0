internal import CMicroHTTPD

/// A request up to its body, as libmicrohttpd has read it.
struct RequestHead {
    /// A header field, with its name in lower case.
    struct Field {
        var name: String
        var value: String
    }

    var path: String
    var version: String
    var fields: [Field] = []
    /// True when the library has left something out of what was received: what follows a zero byte,
    /// the beginning of a folded line, a line break without CR.
    var isIncomplete = false

    init(path: String, version: String, fields: [Field] = []) {
        self.path = path
        self.version = version
        self.fields = fields
    }

    init(
        method: UnsafePointer<CChar>, _ url: UnsafePointer<CChar>, _ targetLength: Int,
        _ version: UnsafePointer<CChar>, of connection: OpaquePointer
    ) {
        unsafe self.init(path: String(cString: url), version: String(cString: version))
        var found = unsafe FoundFields(next: Self.address(version) + 10)
        unsafe withUnsafeMutablePointer(to: &found) {
            _ = unsafe MHD_get_connection_values(connection, .HEADER_KIND, fieldThunk, $0)
        }
        fields = found.fields
        // Newer libraries need not leave everything where it was received, and look themselves.
        guard mhd_is_strict() == 0 else { return }
        let size = unsafe mhd_head_size(connection)
        let isWhole =
            unsafe Self.address(url) + targetLength + 1 == Self.address(version)
            && found.next + 2 == Self.address(method) + size
        isIncomplete = found.isInterrupted || !isWhole
    }

    fileprivate static func address(_ pointer: UnsafePointer<CChar>) -> Int {
        Int(bitPattern: pointer)
    }
}

/// The fields of a request, and where each was received: only the separators are between them.
private struct FoundFields {
    var fields: [RequestHead.Field] = []
    /// Where the next field begins.
    var next: Int
    var isInterrupted = false

    mutating func add(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
        let field = unsafe RequestHead.Field(
            name: String(cString: name).lowercased(),
            value: value.map { unsafe String(cString: $0) } ?? "")
        fields.append(field)
        guard let value = unsafe value else { return isInterrupted = true }
        let start = unsafe RequestHead.address(name)
        let end = unsafe start + mhd_length(name)
        // A colon, and white space that some leave out and some double.
        let gap = unsafe RequestHead.address(value) - end
        if start != next || !(1...3).contains(gap) { isInterrupted = true }
        next = unsafe RequestHead.address(value) + mhd_length(value) + 2
    }
}

/// Called for each header field, also for those that occur several times.
private let fieldThunk: MHD_KeyValueIterator = { context, _, key, value in
    guard let context = unsafe context, let key = unsafe key else { return .YES }
    let found = unsafe context.assumingMemoryBound(to: FoundFields.self)
    unsafe found.pointee.add(key, value)
    return .YES
}
