import Encoding
import Testing

@Suite struct `A digit` {
    @Test func `is one of the ten of ASCII, as a byte and as a Unicode scalar`() {
        for byte in UInt8.min...UInt8.max {
            let isDigit = "0123456789".utf8.contains(byte)
            #expect(byte.isDigit == isDigit)
            #expect(Unicode.Scalar(byte).isDigit == isDigit)
        }
        #expect("٣".unicodeScalars.allSatisfy { !$0.isDigit })
    }
}
