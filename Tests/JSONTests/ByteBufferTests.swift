import JSON
import Testing

@Suite struct `A byte buffer` {
    @Test func `keeps its content while it grows`() {
        var buffer = ByteBuffer()
        var expected: [UInt8] = []
        for number in 0..<1000 {
            let byte = UInt8(truncatingIfNeeded: number)
            buffer.append(byte)
            expected.append(byte)
            buffer.append([1, 2, 3, 4], from: 1, to: 3)
            expected += [2, 3]
        }
        let count = buffer.count
        let copy = buffer.copy()
        #expect(count == 3000)
        #expect(copy == expected)
    }

    @Test func `writes as many digits as are wanted`() {
        var buffer = ByteBuffer()
        for (number, count) in [(0, 1), (7, 3), (99_999_999, 8), (123_456_789_012, 12), (5, 18)] {
            buffer.appendDigits(UInt64(number), count: count)
            buffer.appendASCII(" ")
        }
        buffer.appendDigits(0, count: 0)
        let copy = buffer.copy()
        #expect(copy == Array("0 007 99999999 123456789012 000000000000000005 ".utf8))
    }

    @Test func `can be truncated and emptied`() {
        var buffer = ByteBuffer()
        let empty = buffer.last
        buffer.appendASCII("abc")
        buffer.appendDecimal(-9_223_372_036_854_775_808)
        buffer.removeAll(from: 5)
        let (last, tail) = (buffer.last, buffer.copy(from: 2))
        buffer.removeAll()
        let count = buffer.count
        #expect(empty == nil)
        #expect(last == UInt8(ascii: "9"))
        #expect(tail == Array("c-9".utf8))
        #expect(count == 0)
    }

    @Test(arguments: [
        #""plain""#, #""\u00e9\n\"\/\ud83d\ude00\u0001""#, "[ 1 , {\"a b\" : \"\\t\"} ,[ ], true]",
        "-1.50e+3", "null", "{}", "\"\"", #"{"a":{"b":[null,"x"]},"c":"é"}"#,
    ])
    func `has the same content as an array`(text: String) throws {
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        let span = unsafe bytes.span.bytes
        var buffer = ByteBuffer()
        var array: [UInt8] = []
        buffer.appendJSON(of: 0, on: tape, in: span)
        array.appendJSON(of: 0, on: tape, in: span)
        buffer.appendText(of: 0, on: tape, in: span)
        array.appendText(of: 0, on: tape, in: span)
        buffer.appendStringContent(of: 0, on: tape, in: span)
        array.appendStringContent(of: 0, on: tape, in: span)
        buffer.appendJSONText(bytes, from: 0, to: bytes.count)
        array.appendJSONText(bytes, from: 0, to: bytes.count)
        let copy = buffer.copy()
        #expect(copy == array)
    }

    @Test func `repairs text that is not valid UTF-8`() {
        var buffer = ByteBuffer()
        buffer.appendJSONText([0x61, 0xFF, 0x22], from: 0, to: 3)
        let copy = buffer.copy()
        #expect(copy == Array("a\u{FFFD}\\\"".utf8))
    }

    @Test func `writes integers of every length`() {
        var numbers: [Int64] = [0, .max, .min, -1, 12_345_678, 123_456_789]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            numbers += [power - 1, power, power + 1, power * 9, -power, power / 2]
        }
        for number in Int64(0)..<20_000 { numbers += [number, number * 5_003] }
        for number in numbers {
            var buffer = ByteBuffer()
            buffer.appendDecimal(number)
            let text = buffer.copy()
            #expect(text == Array(String(number).utf8))
        }
    }

    @Test(arguments: 0..<70)
    func `escapes one character of a plain text, wherever it is`(count: Int) {
        for position in 0..<count {
            for byte: UInt8 in [0x00, 0x1F, 0x20, 0x22, 0x5C, 0x5D, 0x7E] {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                text[position] = byte
                var buffer = ByteBuffer()
                buffer.appendJSONText(text, from: 0, to: count)
                var array: [UInt8] = []
                array.appendJSONText(String(decoding: text, as: UTF8.self))
                let copy = buffer.copy()
                #expect(copy == array)
            }
        }
    }

    @Test func `returns numbers and parts at any offset`() {
        var buffer = ByteBuffer()
        buffer.reserve(10)
        buffer.append(1)
        buffer.append(word: 0x0102_0304_0506_0708)
        buffer.append([9, 10])
        let (word, part) = (buffer.word(at: 1), buffer.copy(from: 8, count: 2))
        #expect(word == 0x0102_0304_0506_0708)
        #expect(part == [1, 9])
    }

    @Test(arguments: [0, 1, 5, 6, 40])
    func `can replace an array's bytes`(count: Int) {
        var buffer = ByteBuffer()
        for _ in 0..<count { buffer.append(UInt8(ascii: "x")) }
        var array = Array("before".utf8)
        array.replace(with: buffer)
        #expect(array == Array(repeating: UInt8(ascii: "x"), count: count))
        var tail = Array("before".utf8)
        tail.replace(from: 2, with: array)
        #expect(tail == Array("be".utf8) + array)
    }

    @Test(arguments: 0..<20)
    func `of one length is distinguished by any of its bytes`(count: Int) {
        let bytes = Array(repeating: UInt8(7), count: count)
        #expect(bytes.equals(bytes))
        #expect(!bytes.equals(bytes + [7]))
        for index in 0..<count {
            var other = bytes
            other[index] = 8
            #expect(!bytes.equals(other))
        }
    }
}
