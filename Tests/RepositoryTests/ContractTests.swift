import Contracts
import Testing

@Suite struct `The log messages of a release` {
    /// The messages with an `action`, as the article lists them: level and message. Another test
    /// compares the article with the sources.
    private func messages() throws -> [String] {
        let text = try Repository.text("Sources/Bridge/Documentation.docc/LogMessages.md")
        return text.matches(of: /(?m)^\| `([^`]+)` \| (warning|error) \|/)
            .map { "\($0.2) \($0.1)" }
    }

    @Test(arguments: Contract.having("log-messages.txt"))
    func `are still written, at the same level`(contract: Contract) throws {
        #expect(try contract.missing("log-messages.txt", from: messages()) == [])
    }

    @Test func `are all listed`() throws {
        #expect(try Contract.unlisted("log-messages.txt", from: messages()) == [])
    }
}

@Suite struct `The article about compatibility` {
    @Test func `names each file of a release's contracts`() throws {
        let article = try Repository.text("Sources/Bridge/Documentation.docc/Compatibility.md")
        for contract in Contract.having("records") {
            let missing = try contract.names(in: "").filter { !article.contains("`\($0)`") }
            #expect(missing == [], "its table has a row for each file")
        }
    }
}
