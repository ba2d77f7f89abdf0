import Encoding
import Testing

@Suite struct `Trimming` {
    @Test func `removes elements at both ends, and none between`() {
        #expect([0, 0, 1, 0, 2, 0].trimming { $0 == 0 } == [1, 0, 2])
        #expect([0, 0].trimming { $0 == 0 }.isEmpty)
        #expect([Int]().trimming { $0 == 0 }.isEmpty)
    }

    @Test(arguments: [(" a b\t\r\n", "a b"), ("\u{A0}a", "a"), (" \n", ""), ("", "")])
    func `removes white space around a string`(text: String, expected: String) {
        #expect(text.trimmed == expected)
        #expect(text[...].trimmed == expected)
    }
}
