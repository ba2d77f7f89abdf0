internal import Avro
internal import JSON

/// Bytes as a record in Avro: what is before the first byte 0 is its schema, if that is not empty.
enum AvroTarget {
    static func run(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: 0) ?? 0
        let record = [UInt8](bytes[(end < bytes.count ? end + 1 : end)...])
        let written = end > 0 ? try? AvroSchema([UInt8](bytes[..<end])) : nil
        for schema in written.map({ [$0] }) ?? schemas { read(record, schema) }
    }

    private static func read(_ record: [UInt8], _ schema: AvroSchema) {
        var reader = AvroReader()
        let fault = fault(record, schema, &reader)
        guard fault == nil else {
            precondition(fault?.byte ?? 0 <= record.count, "a fault behind the record")
            return
        }
        let text = reader.text.copy()
        precondition(text.count <= 2 * AvroReader.textLimit, "a text longer than its limit")
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(text)
        } catch {
            preconditionFailure("\(error.message) at \(error.offset)")
        }
        precondition(reader.tape.count == tape.count, "the tape has other values than the text")
        for node in 0..<tape.count {
            precondition(reader.tape[node] == tape[node], "a value is elsewhere in the text")
        }
        precondition(self.fault(record, schema, &reader) == nil, "read otherwise")
        precondition(reader.text.copy() == text, "read otherwise at the second time")
    }

    private static func fault(
        _ record: [UInt8], _ schema: AvroSchema, _ reader: inout AvroReader
    ) -> AvroFault? {
        record.withBytes { bytes in
            do throws(AvroFault) {
                try reader.read(bytes, by: schema)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Schemas that contain every type, and themselves.
    private static let schemas = [everything, tree, order].compactMap {
        try? AvroSchema(Array($0.utf8))
    }

    private static let tree = #"""
        {"type": "record", "name": "T", "fields": [
          {"name": "v", "type": ["null", "T", "long", "string"]},
          {"name": "c", "type": {"type": "array", "items": "T"}},
          {"name": "m", "type": {"type": "map", "values": ["null", "T"]}}]}
        """#

    /// What is read without a call, between fields that are not.
    private static let order = #"""
        {"type": "record", "name": "O", "fields": [
          {"name": "id", "type": "long"}, {"name": "count", "type": "int"},
          {"name": "status", "type": {"type": "enum", "name": "S", "symbols": ["NEW", "SENT"]}},
          {"name": "customer", "type": ["null", {"type": "record", "name": "C", "fields": [
            {"name": "name", "type": "string"}, {"name": "other", "type": ["null", "O"]}]}]},
          {"name": "total", "type":
            {"type": "bytes", "logicalType": "decimal", "precision": 30, "scale": 2}},
          {"name": "placed", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}
        """#

    private static let everything = #"""
        {"type": "array", "items": [
          "null", "boolean", "int", "long", "float", "double", "bytes", "string",
          {"type": "record", "name": "E", "fields": []},
          {"type": "enum", "name": "S", "symbols": ["A", "B"]},
          {"type": "fixed", "name": "F", "size": 3},
          {"type": "array", "items": ["null", "E", "int"]},
          {"type": "map", "values": "string"},
          {"type": "bytes", "logicalType": "decimal", "precision": 30, "scale": 7},
          {"type": "fixed", "name": "D", "size": 9, "logicalType": "decimal", "precision": 20},
          {"type": "fixed", "name": "U", "size": 16, "logicalType": "uuid"},
          {"type": "int", "logicalType": "date"},
          {"type": "int", "logicalType": "time-millis"},
          {"type": "long", "logicalType": "time-micros"},
          {"type": "long", "logicalType": "timestamp-millis"},
          {"type": "long", "logicalType": "timestamp-micros"},
          {"type": "long", "logicalType": "timestamp-nanos"},
          {"type": "long", "logicalType": "local-timestamp-nanos"}]}
        """#
}
