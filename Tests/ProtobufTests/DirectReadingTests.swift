import Encoding
import JSON
import Protobuf
import Testing

private let schema = """
    syntax = "proto3";
    import "google/protobuf/any.proto"; import "google/protobuf/duration.proto";
    import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto";
    import "google/protobuf/wrappers.proto";
    message M {
      int32 a = 1; string b = 2; repeated int32 c = 3; repeated string d = 4; M e = 5;
      map<string, int32> f = 6; map<int32, M> g = 7; oneof h { bool i = 8; string j = 9; M k = 10; }
      optional sint64 l = 11; bytes m = 12; double n = 13; E o = 14; repeated E p = 15;
      google.protobuf.Timestamp q = 16; google.protobuf.Duration r = 17;
      google.protobuf.StringValue s = 18; google.protobuf.Value t = 19; repeated M u = 20;
      repeated fixed32 v = 21; google.protobuf.Int32Value w = 300; map<bool, E> x = 301;
      google.protobuf.Any y = 302;
      enum E { ZERO = 0; ONE = 1; FAR = 1000; }
    }
    """

private let closed = """
    syntax = "proto2";
    message M {
      optional int32 a = 1; required string b = 2; repeated int32 c = 3; repeated string d = 4;
      optional M e = 5; map<string, Z> f = 6; optional E o = 14 [default = TWO];
      repeated E p = 15; optional group Q = 16 { optional int32 r = 1; } repeated fixed32 v = 21;
      enum E { ONE = 1; TWO = 2; } enum Z { ZERO = 0; THREE = 3; }
    }
    """

/// Random messages: fields twice, out of order, of other wire types, unknown, and broken ones.
private struct Messages {
    var random: SeededGenerator

    mutating func message(depth: Int = 0) -> [UInt8] {
        guard depth < 4 else { return [] }
        var bytes: [UInt8] = []
        var next: UInt64 = 1
        for _ in 0..<below(8) {
            // Mostly in order, as producers write them.
            next = below(10) == 0 ? below(24) : next + below(4)
            let number = below(12) == 0 ? 300 + below(4) : max(1, next)
            for _ in 0...below(6) / 4 { bytes += field(number, depth) }
        }
        return bytes
    }

    private mutating func field(_ number: UInt64, _ depth: Int) -> [UInt8] {
        let usual: UInt64 =
            switch number {
            case 1, 8, 11, 14: 0
            case 13: 1
            default: 2
            }
        let wire = below(20) == 0 ? below(6) : usual
        let tag = varint(number << 3 | wire)
        switch wire {
        case 0: return tag + varint(anyNumber())
        case 1: return tag + (0..<8).map { _ in UInt8(below(256)) }
        case 5: return tag + (0..<4).map { _ in UInt8(below(256)) }
        case 2:
            let content = content(of: number, depth)
            return tag + varint(UInt64(content.count)) + content
        default: return tag
        }
    }

    private mutating func content(of number: UInt64, _ depth: Int) -> [UInt8] {
        switch number {
        case 5, 10, 20: return message(depth: depth + 1)
        case 3, 15, 21: return (0..<below(4)).flatMap { _ in varint(anyNumber()) }
        case 6, 7, 301: return entry(of: number, depth)
        case 16, 17:
            return [0x08] + varint(below(1 << 33)) + (below(2) == 0 ? [0x10, 5] : [])
        case 18: return [0x0A, 1, 0x61]
        case 300: return below(3) == 0 ? [] : [0x08] + varint(anyNumber())
        default: return (0..<below(12)).map { _ in UInt8(0x20 + below(0x5F)) }
        }
    }

    private mutating func entry(of number: UInt64, _ depth: Int) -> [UInt8] {
        let key: [UInt8] =
            number == 6 ? [0x0A, 1, UInt8(0x61 + below(3))] : [0x08, UInt8(below(2))]
        let inner = message(depth: depth + 1)
        let value: [UInt8] =
            number == 7
            ? [0x12] + varint(UInt64(inner.count)) + inner : [0x10] + varint(anyNumber())
        switch below(8) {
        case 0: return key
        case 1: return value + key
        default: return key + value
        }
    }

    private mutating func below(_ limit: UInt64) -> UInt64 {
        random.next(upperBound: limit)
    }

    private mutating func anyNumber() -> UInt64 {
        switch below(4) {
        case 0: below(3)
        case 1: below(1 << 20)
        default: random.next() >> below(64)
        }
    }
}

@Suite struct `Text that is written straight from a message's bytes` {
    @Test(arguments: [schema, closed])
    func `is what libprotobuf writes, also of messages that are broken`(text: String) throws {
        let schema = try ProtobufSchema(Array(text.utf8))
        var (direct, library) = (0, 0)
        for seed in 0..<20_000 {
            var messages = Messages(random: SeededGenerator(seed: UInt64(seed)))
            var bytes = messages.message()
            if seed % 16 == 0, !bytes.isEmpty { bytes.removeLast() }
            var reader = ProtobufReader()
            var other = ProtobufReader(isDirect: false)
            let location = ProtobufLocation.header([0], from: 0)
            let fault = read(bytes, schema, location, &reader)
            #expect(
                fault?.description == read(bytes, schema, location, &other)?.description,
                "seed \(seed)")
            guard fault == nil else {
                library += 1
                continue
            }
            direct += 1
            #expect(reader.text.copy() == other.text.copy(), "seed \(seed)")
        }
        // Both kinds are there.
        #expect(direct > 1000 && library > 1000, "\(direct) and \(library)")
    }

    @Test func `is also that of records that libprotobuf has to read`() throws {
        // A field that is there twice: of a number the last counts, messages are joined.
        let twice = whole(1, 1) + field(5, "\u{8}\u{7}") + field(5, "\u{12}\u{1}a") + whole(1, 2)
        #expect(
            try json(twice, message("int32 a = 1; string b = 2; M e = 5;"))
                == #"{"a":2,"b":"","e":{"a":7,"b":"a"}}"#)
    }
}
