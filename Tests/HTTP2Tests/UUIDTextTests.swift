import Testing

@testable import HTTP2

@Suite struct `The text of a UUID` {
    private static func number(_ text: String) -> UInt128? {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBufferPointer { unsafe UUIDText.number($0) }
    }

    @Test(arguments: [
        "123e4567-e89b-42d3-a456-426614170001", "123E4567-E89B-42D3-A456-426614170001",
    ])
    func `is the same number in lower and in upper case`(text: String) {
        #expect(Self.number(text) == 0x123e_4567_e89b_42d3_a456_4266_1417_0001)
    }

    @Test func `may have every digit at every position`() {
        let digits = Array("0123456789abcdefABCDEF")
        for (index, digit) in digits.enumerated() {
            let text = String(repeating: digit, count: 8) + "-"
            let more = String(repeating: digit, count: 4) + "-"
            let end = String(repeating: digit, count: 12)
            let nibble = UInt128(index < 16 ? index : index - 6)
            var wanted: UInt128 = 0
            for _ in 0..<32 { wanted = wanted << 4 | nibble }
            #expect(Self.number(text + more + more + more + end) == wanted)
        }
    }

    @Test func `is not valid with any other character at any position`() {
        let good = Array("123e4567-e89b-42d3-a456-426614170001".utf8)
        for index in good.indices {
            for other in UInt8.min...UInt8.max {
                let isDash = [8, 13, 18, 23].contains(index)
                let isDigit = Character(Unicode.Scalar(other)).isHexDigit && other < 0x80
                var text = good
                text[index] = other
                let number = unsafe text.withUnsafeBufferPointer { unsafe UUIDText.number($0) }
                let isGood = isDash ? other == UInt8(ascii: "-") : isDigit
                #expect((number != nil) == isGood, "\(other) at \(index)")
            }
        }
    }

    @Test(arguments: ["", "1", "123e4567e89b42d3a456426614170001", "{123e4567}"])
    func `is not valid with another length`(text: String) {
        #expect(Self.number(text) == nil)
    }
}
