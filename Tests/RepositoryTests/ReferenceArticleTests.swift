import Testing

/// Articles whose tables must have a row for each name in the sources.
@Suite struct `The article about result records` {
    /// The names in the first column of the table below a heading.
    private func rows(below heading: String) throws -> [String] {
        let text = try Repository.text("Sources/Bridge/Documentation.docc/ResultRecords.md")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "## \(heading)"[...]))
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.compactMap { $0.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.1) } }
    }

    /// The members of a schema, in its order.
    private func members(ofSchema name: String) throws -> [String] {
        let text = try Repository.text("Sources/Engine/Schemas/\(name).v1.json")
        return text.matches(of: /(?m)^    "([a-z_]+)": \{$/).map { String($0.1) }
    }

    @Test(arguments: [("Outcomes", "outcome"), ("Unregistered records", "unregistered")])
    func `has a row for each field of a schema`(heading: String, schema: String) throws {
        #expect(try rows(below: heading) == members(ofSchema: schema))
    }

    @Test func `has a row for each header of a dead letter`() throws {
        let code = try Repository.text("Sources/Engine/Outbox/DeadLetter.swift")
        let names = code.matches(of: /header\("([a-z0-9-]+)"/).map { "apns-bridge-\($0.1)" }
        #expect(try rows(below: "Dead letters") == names)
    }

    @Test func `has a row for each header of a retry record`() throws {
        let code = try Repository.text("Sources/Engine/Waiting/RetryRecord.swift")
        let names = code.matches(of: /add\("([a-z-]+)"/).map { "apns-bridge-retry-\($0.1)" }
        #expect(try rows(below: "Retry records") == names)
    }
}

@Suite struct `The index of the documentation` {
    @Test func `lists every article and every decision once`() throws {
        let folder = "Sources/Bridge/Documentation.docc/"
        let index = try Repository.text(folder + "Bridge.md")
        let listed = index.matches(of: /(?m)^- <doc:([A-Za-z0-9-]+)>$/).map { String($0.1) }
        let articles = Repository.texts.filter { $0.hasPrefix(folder) && $0.hasSuffix(".md") }
            .compactMap { $0.split(separator: "/").last.map { String($0.dropLast(3)) } }
            .filter { $0 != "Bridge" }
        #expect(listed.sorted() == articles.sorted())
    }
}

@Suite struct `A link in the documentation` {
    @Test func `leads to an article`() throws {
        let articles = Set(
            Repository.texts.filter { $0.hasPrefix("Sources/Bridge/Documentation.docc/") }
                .compactMap { $0.split(separator: "/").last.map { $0.replacing(".md", with: "") } }
                .map(String.init))
        var broken: [String] = []
        for path in Repository.texts where path.hasSuffix(".md") || path.hasSuffix(".swift") {
            for match in try Repository.text(path).matches(of: /<doc:([A-Za-z0-9-]+)>/)
            where !articles.contains(String(match.1)) {
                broken.append("\(path): <doc:\(match.1)>")
            }
        }
        expectNone(broken)
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md"])
    func `leads to a file or folder of the repository`(page: String) throws {
        let text = try Repository.text(page)
        let targets = text.matches(of: /\]\(([A-Za-z][^):]*)\)/).map { String($0.1) }
        expectNone(targets.filter { !Repository.has($0) })
    }
}
