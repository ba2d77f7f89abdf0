extension HTTP2Request {
    /// The fields as a connection writes them: pseudo-header fields first, without empty fields.
    ///
    /// Throws ``HTTP2Error/Code/badField`` or ``HTTP2Error/Code/fieldsTooLong`` if a connection
    /// would not accept the request.
    public func writtenFields() throws(HTTP2Error) -> [(name: String, value: [UInt8])] {
        try check()
        let constant = [(":method", Array("POST".utf8)), (":scheme", Array("https".utf8))]
        return constant
            + RequestField.allCases.compactMap { field in
                let value = value(of: field)
                return value.isEmpty ? nil : ("\(field.name)", value)
            }
    }
}
