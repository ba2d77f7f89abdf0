import Avro
import JSON

/// The JSON text of a record, whose tape is checked, too.
func json(
    _ record: [UInt8], _ schema: String, references: [String] = []
) throws -> String {
    let schema = try AvroSchema(
        Array(schema.utf8), references: references.map { Array($0.utf8) })
    var reader = AvroReader()
    var fault: AvroFault?
    record.withBytes { bytes in
        do throws(AvroFault) {
            try reader.read(bytes, by: schema)
        } catch {
            fault = error
        }
    }
    if let fault { throw fault }
    let text = reader.text.copy()
    var tape = JSONTape()
    try tape.read(text)
    guard reader.tape.count == tape.count else { throw OtherTape() }
    for node in 0..<tape.count {
        guard reader.tape[node] == tape[node] else { throw OtherTape() }
    }
    return String(decoding: text, as: UTF8.self)
}

/// The tape of a reader is not the one of its text.
struct OtherTape: Error {}

/// Why bytes are not a record of a schema.
func fault(_ record: [UInt8], _ schema: String) throws -> String {
    do {
        return "read as \(try json(record, schema))"
    } catch let error as AvroFault {
        return error.description
    }
}

/// Why a schema cannot be used.
func schemaFault(_ schema: String) -> String {
    do throws(AvroSchemaFault) {
        _ = try AvroSchema(Array(schema.utf8))
        return "no fault"
    } catch {
        return error.description
    }
}

/// A number as Avro writes it.
func long(_ value: Int64) -> [UInt8] {
    var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
    var bytes: [UInt8] = []
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// A string as Avro writes it.
func string(_ text: String) -> [UInt8] { long(Int64(text.utf8.count)) + Array(text.utf8) }

/// A record with one field `x` of a type.
func record(_ type: String) -> String {
    #"{"type": "record", "name": "R", "fields": [{"name": "x", "type": \#(type)}]}"#
}
