import Testing

@Suite struct `The repository` {
    static let rootEntries: Set<String> = [
        "Package.swift", "Sources", "Tests", "connectors", "docker-compose.yml", "README.md",
        "Makefile", "Dockerfile", "Benchmarks", "deploy", "CHANGELOG.md", "CONTRIBUTING.md",
        "SECURITY.md", "LICENSE",
    ]

    @Test func `has nothing at its root that does not belong there`() {
        expectNone(Repository.visibleRootEntries.filter { !Self.rootEntries.contains($0) })
    }

    @Test func `has a short README`() throws {
        let lines = try Repository.text("README.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 101, "README.md has \(lines.count - 1) lines, 100 are allowed")
    }

    /// Rows of tables cannot be broken, and code is as it is.
    @Test func `has no line of prose over 120 columns in articles`() throws {
        let folder = "Sources/Bridge/Documentation.docc/"
        let articles = Repository.texts.filter {
            $0.hasPrefix(folder) && $0.hasSuffix(".md") && !$0.dropFirst(folder.count).contains("/")
        }
        #expect(articles.count > 10)
        var found: [String] = []
        for path in articles + ["SECURITY.md", "CONTRIBUTING.md"] {
            var isCode = false
            let lines = try Repository.text(path).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
                guard !isCode, !line.hasPrefix("|"), !line.hasPrefix("!["), line.count > 120 else {
                    continue
                }
                found.append("\(path):\(index + 1): \(line.count) columns")
            }
        }
        expectNone(found)
    }

    @Test func `lists each module in the table for maintainers`() throws {
        let lines = try Repository.text("CONTRIBUTING.md").split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `Sources/") }.joined()
        let modules = Set(
            Repository.sources.compactMap { $0.path.split(separator: "/").dropFirst().first })
        let missing = modules.filter { !rows.contains("`\($0)`") && !rows.contains("/\($0)`") }
        expectNone(missing.map(String.init).sorted())
    }

    @Test func `contains no reminders to do something later`() throws {
        let words = ["TO" + "DO", "FIX" + "ME", "X" + "XX"].joined(separator: "|")
        let pattern = try LinePattern(#"\b(\#(words))\b"#)
        expectNone(try Self.offences(pattern, "left for later", except: []))
    }

    @Test func `contains no mark of an unfinished merge`() throws {
        let pattern = try LinePattern("^(<{7}|>{7}) ")
        expectNone(try Self.offences(pattern, "an unfinished merge", except: []))
    }

    @Test func `contains no machine-specific path`() throws {
        let pattern = try LinePattern(#"(^|[^\w.~}])/(work|root|farm|tmp|opt|home|Users)/"#)
        let inContainers = [
            "Dockerfile", "docker-compose.yml", "Tests/IntegrationTests/ComposeTests.swift",
        ]
        let others = inContainers + ["Tests/RepositoryTests/LayoutTests.swift"]
        expectNone(try Self.offences(pattern, "a path of one machine", except: others))
    }

    /// Every line of a text that matches.
    private static func offences(
        _ pattern: LinePattern, _ what: String, except: [String]
    ) throws -> [String] {
        var found: [String] = []
        for path in Repository.texts where !except.contains(path) {
            guard let text = try? Repository.text(path), pattern.mayMatch(aLineOf: text)
            else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where pattern.matches(line) {
                found.append("\(path):\(index + 1): \(what): \(line.prefix(80))")
            }
        }
        return found
    }
}
