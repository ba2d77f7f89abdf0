import JSON
import Testing

@Suite struct `A JSON writer` {
    @Test func `repairs text that is not valid UTF-8`() {
        var writer = JSONWriter()
        writer.string(utf8: [0x61, 0xFF, 0x62])
        #expect(writer.text == "\"a\u{FFFD}b\"")
    }

    @Test func `escapes quotation marks, backslashes and controls and nothing else`() {
        var writer = JSONWriter()
        writer.string("\"\\/\u{8}\u{9}\u{A}\u{C}\u{D}\u{0}\u{1F}\u{7F}é😀")
        #expect(
            writer.text == "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}é😀\"")
    }

    @Test func `writes the commas itself`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("a")
        writer.integer(-12)
        writer.name("b")
        writer.beginArray()
        writer.boolean(true)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.string("")
        writer.raw(Array("1.0".utf8))
        writer.endArray()
        writer.name("c")
        writer.integer(Int64.min)
        writer.endObject()
        #expect(
            writer.text == "{\"a\":-12,\"b\":[true,null,{},\"\",1.0],\"c\":-9223372036854775808}")
    }

    @Test func `starts again in the same buffer`() {
        var writer = JSONWriter()
        writer.integer(1)
        writer.reset()
        writer.integer(UInt64.max)
        #expect(writer.text == "18446744073709551615")
    }
}

extension JSONWriter {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
