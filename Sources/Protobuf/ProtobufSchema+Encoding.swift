internal import CProtobuf
internal import JSON

extension ProtobufSchema {
    /// The JSON text of an event as ``ProtobufReader`` writes it: the text is encoded as a message,
    /// by Protobuf's own rules for JSON, and read again. Throws what does not fit, with its path.
    public func sample(
        _ json: [UInt8], of message: ProtobufMessage
    ) throws(ProtobufFault) -> [UInt8] {
        let record = try encoded(json, of: message)
        var reader = ProtobufReader()
        try unsafe reader.read(record.span.bytes, message: message.index, by: self)
        return reader.text.copy()
    }

    /// The message that the JSON text of an event stands for, without what stands in front of it in
    /// a record.
    public func encoded(
        _ json: [UInt8], of message: ProtobufMessage
    ) throws(ProtobufFault) -> [UInt8] {
        guard let encoding = unsafe cprotobuf_encode(pointer, message.index, json, json.count)
        else { throw ProtobufFault(message: "out of memory") }
        defer { unsafe cprotobuf_encoding_close(encoding) }
        var count = 0
        var problem: UnsafePointer<CChar>?
        guard let bytes = unsafe cprotobuf_encoded(encoding, &count, &problem) else {
            if let misfit = misfit(json, of: message) { throw misfit }
            throw ProtobufFault(message: unsafe problem.map { unsafe String(cString: $0) } ?? "")
        }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }
}
