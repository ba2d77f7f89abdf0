import Encoding
import Testing

@Suite struct `Hexadecimal digits` {
    @Test func `of every byte are lower-case and name its value`() throws {
        for byte in UInt8.min ... .max {
            let digits = Hexadecimal.encode([byte])
            #expect(digits.count == 2 && digits.map(Character.init).allSatisfy(\.isHexDigit))
            let high = try #require(Hexadecimal.value(of: digits[0]))
            let low = try #require(Hexadecimal.value(of: digits[1]))
            #expect(high << 4 | low == byte)
        }
        #expect(Hexadecimal.encode([0x00, 0x9A, 0xFF]) == Array("009aff".utf8))
    }

    @Test func `are distinguished from all other characters`() {
        for character in UInt8.min ... .max {
            let isDigit = character < 0x80 && Character(character).isHexDigit
            #expect((Hexadecimal.value(of: character) != nil) == isDigit)
            #expect(Hexadecimal.areDigits([character].span) == isDigit)
        }
    }

    @Test func `may be in either case`() {
        #expect(Hexadecimal.value(of: UInt8(ascii: "f")) == 15)
        #expect(Hexadecimal.value(of: UInt8(ascii: "F")) == 15)
    }
}

extension Character {
    fileprivate init(_ byte: UInt8) { self.init(Unicode.Scalar(byte)) }
}
