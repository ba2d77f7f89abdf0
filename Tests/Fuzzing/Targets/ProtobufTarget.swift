internal import JSON
internal import Protobuf

/// Bytes as a record in Protobuf: what is before the first byte 0 is its schema, if that is not
/// empty.
enum ProtobufTarget {
    static func run(_ bytes: [UInt8]) {
        precondition(schemas.count == 2, "a schema that cannot be used")
        let end = bytes.firstIndex(of: 0) ?? 0
        let record = [UInt8](bytes[(end < bytes.count ? end + 1 : end)...])
        let written = end > 0 ? try? ProtobufSchema([UInt8](bytes[..<end])) : nil
        for schema in written.map({ [$0] }) ?? schemas {
            for location in [.indexes, .name, .header([0], from: 0)] as [ProtobufLocation] {
                read(record, location, schema)
            }
        }
    }

    private static func read(
        _ record: [UInt8], _ location: ProtobufLocation, _ schema: ProtobufSchema
    ) {
        var reader = ProtobufReader()
        let fault = fault(record, location, schema, &reader)
        var library = ProtobufReader(isDirect: false)
        precondition(
            self.fault(record, location, schema, &library)?.description == fault?.description,
            "libprotobuf finds another fault")
        guard fault == nil else {
            precondition(fault?.byte ?? 0 <= record.count, "a fault behind the record")
            return
        }
        let text = reader.text.copy()
        precondition(library.text.copy() == text, "libprotobuf reads it otherwise")
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(text)
        } catch {
            preconditionFailure("\(error.message) at \(error.offset)")
        }
        precondition(self.fault(record, location, schema, &reader) == nil, "read otherwise")
        precondition(reader.text.copy() == text, "read otherwise at the second time")
    }

    private static func fault(
        _ record: [UInt8], _ location: ProtobufLocation, _ schema: ProtobufSchema,
        _ reader: inout ProtobufReader
    ) -> ProtobufFault? {
        record.withBytes { bytes in
            do throws(ProtobufFault) {
                try reader.read(bytes, location: location, by: schema)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Schemas that contain every type, and themselves.
    private static let schemas = [everything, old].compactMap {
        try? ProtobufSchema(Array($0.utf8))
    }

    private static let everything = """
        syntax = "proto3";
        import "google/protobuf/any.proto"; import "google/protobuf/duration.proto";
        import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto";
        import "google/protobuf/wrappers.proto";
        enum E { A = 0; B = 5; }
        message M {
          double a = 1; float b = 2; int32 c = 3; int64 d = 4; uint32 e = 5; uint64 f = 6;
          sint32 g = 7; sint64 h = 8; fixed32 i = 9; fixed64 j = 10; sfixed32 k = 11;
          sfixed64 l = 12; bool m = 13; string n = 14; bytes o = 15; E p = 16; M q = 17;
          repeated double r = 18; repeated sint32 s = 19; repeated string t = 20;
          repeated E u = 21; repeated M v = 22; map<string, M> w = 23; map<bool, double> x = 24;
          google.protobuf.Any y = 25; google.protobuf.Duration z = 26;
          google.protobuf.Struct aa = 27; google.protobuf.Timestamp ab = 28;
          google.protobuf.Int64Value ac = 29; optional int32 ad = 30;
          oneof ae { string af = 31; N ag = 32; }
          message N { repeated google.protobuf.Value b = 1; }
        }
        """

    private static let old = """
        message M {
          required int32 a = 1; optional group G = 2 { repeated group H = 3 { optional E e = 4; } }
          repeated E f = 5 [packed = true]; map<int32, E> k = 6; optional M h = 7;
        }
        enum E { A = 0; B = 2; }
        """
}
