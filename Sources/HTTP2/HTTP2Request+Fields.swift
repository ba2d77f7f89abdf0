extension HTTP2Request {
    /// The fields as a connection writes them, pseudo fields first, those without a value left out.
    ///
    /// Throws ``HTTP2Error/Code/badField`` or ``HTTP2Error/Code/fieldsTooLong`` where a connection
    /// would not take the request.
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
