import Testing

@testable import HTTP2

@Suite struct `The value of a field` {
    private static func isGood(_ value: [UInt8]) -> Bool {
        var length = 0
        return HeaderFieldCheck.isGood(value, &length)
    }

    @Test(arguments: 1...40)
    func `may not contain control characters anywhere`(count: Int) {
        for position in 0..<count {
            for byte in UInt8.min...UInt8.max {
                var value = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                value[position] = byte
                let isEnd = position == 0 || position == count - 1
                let isControl = byte < 0x20 || byte == 0x7F
                #expect(Self.isGood(value) == !(isControl || isEnd && byte == 0x20))
            }
        }
    }

    @Test func `may contain anything else in any order`() {
        #expect(Self.isGood([UInt8](0x80...0xFF)))
        #expect(Self.isGood([UInt8](0x21...0x7E)))
        #expect(Self.isGood(Array("größer \u{1F4A9} ~~".utf8)))
    }
}
