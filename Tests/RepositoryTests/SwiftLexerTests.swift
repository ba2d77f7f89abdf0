import Testing

@Suite struct `The reader of Swift sources` {
    @Test func `blanks comments, also nested ones`() {
        let code = SwiftLexer.code(of: "a // x!\nb /* { /* { */ } */ c")
        let blanks = String(repeating: " ", count: 19)
        #expect(code == "a      \nb\(blanks)c")
    }

    @Test func `blanks strings and keeps what is interpolated`() {
        #expect(SwiftLexer.code(of: #"f("x{ \(a["}"]) }")"#) == #"f("   "# + #" (a[" "])  ")"#)
    }

    @Test func `does not end a raw string at a quotation mark`() {
        #expect(SwiftLexer.code(of: ##"#"a " { "# }"##) == ##"#"      "# }"##)
    }

    @Test func `blanks multi-line strings`() {
        #expect(SwiftLexer.code(of: "\"\"\"\n{\n\"\"\" }") == "\"\"\"\n \n\"\"\" }")
    }

    @Test func `keeps no word of a raw identifier`() {
        #expect(SwiftLexer.code(of: "func `try! it`()") == "func `xxxxxxx`()")
    }

    @Test func `survives an unterminated string`() {
        #expect(SwiftLexer.code(of: "\"abc\n}") == "\"   \n}")
        #expect(SwiftLexer.code(of: "\"\\(a") == "\" (a")
    }
}
