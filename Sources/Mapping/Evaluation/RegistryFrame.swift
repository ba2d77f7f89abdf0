internal import JSON

/// What schema registries put before a value: which schema it was written with.
///
/// Sources: Confluent, *Wire format*; Apicurio Registry, *Serdes*; AWS Glue Schema Registry.
enum RegistryFrame {
    /// Where the content of a value begins: behind the frame, if there is one.
    static func end(in value: RawSpan) -> Int {
        switch kind(of: value) {
        // No JSON text begins with 0 or 3.
        case .confluent: 5
        case .apicurio: 9
        case .glue: 18
        case nil: 0
        }
    }

    /// What a value with a frame seems to be, whose content is not JSON; nil without a frame.
    static func message(of value: RawSpan) -> String? {
        switch kind(of: value) {
        case .confluent(let schema):
            "it looks like Avro or Protobuf, schema \(schema) of a registry: \(remedy)"
        case .apicurio(let schema):
            "it looks like Avro or Protobuf, schema \(schema) of an Apicurio registry: \(remedy)"
        case .glue:
            "it looks like a record of AWS Glue's schema registry, whose Avro, Protobuf and"
                + " compressed JSON are not read"
        case nil: nil
        }
    }

    /// What a value without a frame seems to be that is not JSON, if a header names its schema.
    static func message(ofHeader schema: SchemaID) -> String {
        "it looks like Avro or Protobuf, whose schema \(schema) of a registry is in the header"
            + " \(SchemaFrame.header): \(remedy)"
    }

    private static let remedy =
        "set source.format to avro or protobuf, and schema_registry"

    private enum Kind {
        case confluent(schema: UInt64)
        case apicurio(schema: UInt64)
        case glue
    }

    private static func kind(of value: RawSpan) -> Kind? {
        guard value.byteCount >= 5 else { return nil }
        if value.byte(at: 0) == 3, value.byteCount >= 18, [0, 5].contains(value.byte(at: 1)) {
            return .glue
        }
        guard value.byte(at: 0) == 0 else { return nil }
        let schema = number(in: value, 1..<5)
        // Schemas are counted from 1: four zeros are the first half of Apicurio's eight bytes.
        guard schema == 0, value.byteCount >= 9 else { return .confluent(schema: schema) }
        let long = number(in: value, 5..<9)
        return long > 0 ? .apicurio(schema: long) : .confluent(schema: schema)
    }

    private static func number(in value: RawSpan, _ range: Range<Int>) -> UInt64 {
        var number: UInt64 = 0
        for index in range { number = number << 8 | UInt64(value.byte(at: index)) }
        return number
    }
}
