internal import Avro
internal import JSON

/// Bytes as an event in JSON, which is written as a record in Avro and read again: what is before
/// the first byte 0 is the file with its schema.
enum AvroSampleTarget {
    static func run(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0) else { return }
        let file = (path: "a.avsc", text: [UInt8](bytes[..<end]))
        guard let schema = try? AvroSchemaFiles([file]).schemas.first?.schema else { return }
        let event = [UInt8](bytes[(end + 1)...])
        let text = sample(event, schema)
        precondition(sample(event, schema) == text, "written otherwise at the second time")
        guard let text else { return }
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(text)
        } catch {
            preconditionFailure("\(error.message) at \(error.offset)")
        }
    }

    private static func sample(_ event: [UInt8], _ schema: AvroSchema) -> [UInt8]? {
        do throws(AvroFault) {
            return try schema.sample(event)
        } catch {
            precondition(!error.message.isEmpty, "a fault without a message")
            return nil
        }
    }
}
