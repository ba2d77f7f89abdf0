import Arguments
import Testing

@Suite struct `The help of a command` {
    @Test func `begins with what it does and an example`() throws {
        #expect(
            try Shop.help("buy", "--help") == """
                Buys things.

                Examples:
                  shop buy tea

                Usage:
                  shop buy [OPTION...] ITEM...

                Arguments:
                  ITEM...  What to buy.

                Options:
                  -n, --count COUNT  How many. (default: 3)
                  --size SIZE        Which size. (one of: small, medium, large)
                  --tag TAG          A tag. (may be repeated)
                  -q, --quiet        Says nothing.
                  -h, --help         Show this help.

                """)
    }

    @Test func `is available on every level and in every spelling`() throws {
        #expect(try Shop.help("keys", "add", "-h")?.hasPrefix("Adds a key.") == true)
        #expect(try Shop.help("help", "keys", "add")?.hasPrefix("Adds a key.") == true)
        #expect(try Shop.help("help")?.hasPrefix("Sells things.") == true)
    }

    @Test func `lists the commands below`() throws {
        let text = try #require(try Shop.help("--help"))
        #expect(text.contains("Usage:\n  shop COMMAND\n"))
        #expect(text.contains("Commands:\n  buy       Buys things.\n  transfer  Moves"))
        #expect(text.hasSuffix("Run 'shop COMMAND --help' for the options of a command.\n"))
    }

    @Test func `takes precedence over missing arguments`() throws {
        #expect(try Shop.help("transfer", "--help") != nil)
    }

    @Test func `fits into eighty columns`() throws {
        let wordy = Option<String?>("wordy", help: String(repeating: "many words ", count: 20))
        let command = Command("talk", abstract: "Talks.", options: [wordy])
        guard case .help(let text) = try command.parse(["--help"]) else {
            Issue.record("no help was shown")
            return
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `fills paragraphs, but keeps lines that begin with a blank`() throws {
        let command = Command(
            "talk", abstract: "Talks.",
            discussion: "It says\nmany \(String(repeating: "words ", count: 16))here.\n\n"
                + "  - one\n  - two")
        guard case .help(let text) = try command.parse(["--help"]) else {
            Issue.record("no help was shown")
            return
        }
        let words = Array(repeating: "words", count: 11).joined(separator: " ")
        let rest = Array(repeating: "words", count: 5).joined(separator: " ")
        #expect(text.hasSuffix("\n\nIt says many \(words)\n\(rest) here.\n\n  - one\n  - two\n"))
    }
}
