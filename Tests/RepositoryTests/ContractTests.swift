import Contracts
import Testing

@Suite struct `The log messages of a release` {
    /// The messages with an `action`, as the article lists them: level and message. Another test
    /// compares the article with the sources.
    private func messages() throws -> [String] {
        let text = try Repository.text("Sources/Bridge/Documentation.docc/LogMessages.md")
        return text.matches(of: /(?m)^\| `([^`]+)` \| (info|notice|warning|error) \|/)
            .map { "\($0.2) \($0.1)" }
    }

    @Test(arguments: Contract.having("log-messages.txt"))
    func `are still written, at the same level`(contract: Contract) throws {
        #expect(try contract.missing("log-messages.txt", from: messages()) == [])
    }

    @Test func `are all listed`() throws {
        let unlisted = try Contract.unlisted("log-messages.txt", from: messages())
        #expect(unlisted == [])
    }
}

@Suite struct `What a release has installed` {
    /// The user, the unit and the files of the package.
    private func locations() throws -> [String] {
        let unit = try Repository.text("deploy/systemd/apns-bridge.service")
        let package = try Repository.text("deploy/packaging/deb.py")
        let found: [(String, String, Regex<(Substring, Substring)>)] = [
            ("user", package, /'Bridge from Kafka to APNs' (\S+)/),
            ("unit", package, /systemctl try-restart (\S+)/),
            ("program", package, /root, "(usr\/bin\/apns-bridge)"/),
            ("settings", unit, /ExecStart=.* (\S+)\n/),
            ("environment", unit, /EnvironmentFile=-(\S+)\n/),
        ]
        return try found.map { name, text, pattern in
            let path = try #require(text.firstMatch(of: pattern), "\(name)").output.1
            return "\(name) \(path.hasPrefix("usr") ? "/" : "")\(path)"
        }
    }

    @Test(arguments: Contract.having("installation.txt"))
    func `is still installed at the same location`(contract: Contract) throws {
        #expect(try contract.missing("installation.txt", from: locations()) == [])
    }

    @Test func `is all listed`() throws {
        let unlisted = try Contract.unlisted("installation.txt", from: locations())
        #expect(unlisted == [])
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
