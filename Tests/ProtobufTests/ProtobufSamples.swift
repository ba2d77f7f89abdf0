import JSON
import Protobuf
import Testing

/// A record, without what stands in front of it, as JSON text. It is the same whether it is written
/// straight from its bytes or by libprotobuf.
func json(
    _ record: [UInt8], _ schema: String, files: [(String, String)] = [],
    location: ProtobufLocation = .header([0], from: 0)
) throws -> String {
    let schema = try ProtobufSchema(
        Array(schema.utf8), files: files.map { (name: $0.0, text: Array($0.1.utf8)) })
    var reader = ProtobufReader()
    var library = ProtobufReader(isDirect: false)
    let fault = read(record, schema, location, &reader)
    #expect(fault?.description == read(record, schema, location, &library)?.description)
    if let fault { throw fault }
    let text = String(decoding: reader.text.copy(), as: UTF8.self)
    #expect(text == String(decoding: library.text.copy(), as: UTF8.self))
    return text
}

/// What is wrong with a record.
func read(
    _ record: [UInt8], _ schema: ProtobufSchema, _ location: ProtobufLocation,
    _ reader: inout ProtobufReader
) -> ProtobufFault? {
    var fault: ProtobufFault?
    record.withBytes { bytes in
        do throws(ProtobufFault) {
            try reader.read(bytes, location: location, by: schema)
        } catch {
            fault = error
        }
    }
    return fault
}

/// Why bytes are not a record of a schema.
func fault(
    _ record: [UInt8], _ schema: String, files: [(String, String)] = [],
    location: ProtobufLocation = .header([0], from: 0)
) throws -> String {
    do {
        return "read as \(try json(record, schema, files: files, location: location))"
    } catch let error as ProtobufFault {
        return error.description
    }
}

/// Why a schema cannot be used.
func schemaFault(_ schema: String, files: [(String, String)] = []) -> String {
    do throws(ProtobufSchemaFault) {
        _ = try ProtobufSchema(
            Array(schema.utf8), files: files.map { (name: $0.0, text: Array($0.1.utf8)) })
        return "no fault"
    } catch {
        return error.description
    }
}

/// A number as Protobuf writes it.
func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// A field that is a number.
func whole(_ number: UInt64, _ value: Int64) -> [UInt8] {
    varint(number << 3) + varint(UInt64(bitPattern: value))
}

/// A field that begins with its size.
func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(content.count)) + content
}

/// A field that is a string.
func field(_ number: UInt64, _ content: String) -> [UInt8] { field(number, Array(content.utf8)) }

/// A field of eight bytes.
func double(_ number: UInt64, _ value: Double) -> [UInt8] {
    varint(number << 3 | 1) + (0..<8).map { UInt8(value.bitPattern >> (8 * $0) & 0xFF) }
}

/// A field of four bytes.
func float(_ number: UInt64, _ value: Float) -> [UInt8] {
    varint(number << 3 | 5) + (0..<4).map { UInt8(value.bitPattern >> (8 * $0) & 0xFF) }
}

/// A schema with one message `M`, in the third version of the language.
func message(_ fields: String, imports: [String] = []) -> String {
    "syntax = \"proto3\";\n" + imports.map { "import \"google/protobuf/\($0).proto\";\n" }.joined()
        + "message M {\n\(fields)\n}\n"
}
