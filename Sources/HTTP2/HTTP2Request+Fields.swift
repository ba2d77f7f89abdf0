internal import CNGHTTP2

extension HTTP2Request {
    /// The fields as a connection writes them, pseudo fields first, those without a value left out.
    ///
    /// Throws ``HTTP2Error/Code/badField`` or ``HTTP2Error/Code/fieldsTooLong`` where a connection
    /// would not take the request.
    public func writtenFields() throws(HTTP2Error) -> [(name: String, value: [UInt8])] {
        var fields = RequestFields()
        try fields.fill(self)
        return (0..<fields.count).map { index in
            let field = unsafe fields.list[index]
            let name = unsafe UnsafeBufferPointer(start: field.name, count: field.namelen)
            let value = unsafe UnsafeBufferPointer(start: field.value, count: field.valuelen)
            return unsafe (String(decoding: name, as: UTF8.self), [UInt8](value))
        }
    }
}
