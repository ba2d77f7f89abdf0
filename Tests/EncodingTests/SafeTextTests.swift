import Encoding
import Testing

@Suite struct `Text for a terminal or a CI log` {
    @Test func `contains no control characters of others`() {
        let text = "a\u{1B}[31m\u{9B}2J\r\nb\tc\u{7F}\u{202E}d\u{2028}\0é\u{1F600}"
        #expect(
            SafeText.lines(text)
                == "a\\u001b[31m\\u009b2J\\r\nb\tc\\u007f\\u202ed\\u2028\\u0000é\u{1F600}")
        #expect(SafeText.line("a\nb\tc") == "a\\nb\\tc")
    }

    @Test func `is escaped in JSON as well, which stays the same JSON`() {
        let text = "a\u{7F}\u{9B}é\u{85}\u{61C}\u{200E}\u{2028}\u{202E}\u{2069}\u{1F600}\u{2026}\n"
        let expected =
            "a\\u007f\\u009bé\\u0085\\u061c\\u200e\\u2028\\u202e\\u2069\u{1F600}\u{2026}\n"
        #expect(String(decoding: SafeText.json(Array(text.utf8)), as: UTF8.self) == expected)
        #expect(SafeText.line("a\u{61C}b") == "a\\u061cb")
        for bytes: [UInt8] in [[0xC2], [0xE2, 0x80], [0xE2], [0x41, 0xD8], []] {
            #expect(SafeText.json(bytes) == bytes)
        }
        let plain = Array("{\"é\": \"–\"}".utf8)
        #expect(SafeText.json(plain) == plain)
    }

    @Test func `gives no commands to a CI`() {
        #expect(
            SafeText.lines("x ::error::y\n  ::error::y\n##[error]z")
                == "x ::error::y\n  \\u003a:error::y\n\\u0023#[error]z")
    }

    @Test func `keeps its own colours, and nothing else`() {
        let text = "\u{1B}[1;31merror\u{1B}[0m \u{1B}]0;title\u{7}\u{1B}[2J\u{1B}"
        #expect(
            SafeText.colouredLines(text)
                == "\u{1B}[1;31merror\u{1B}[0m \\u001b]0;title\\u0007\\u001b[2J\\u001b")
    }
}
