import Testing

@Suite struct `The sources` {
    @Test func `are unsafe only where a C library is wrapped`() {
        expectNone(Repository.sources.flatMap(SafetyRules.unsafeOffences))
    }

    @Test func `promise what cannot be checked only in wrappers and say why`() {
        expectNone(Repository.sources.flatMap(SafetyRules.uncheckedOffences))
    }

    /// In the tests of Kafka, most of the work is librdkafka's, which no sanitizer sees.
    @Test func `are tested under AddressSanitizer where they are unsafe`() throws {
        let modules = SafetyRules.unsafeModules(of: Repository.sources)
        #expect(modules.isSuperset(of: ["TLS", "Delivery", "JSON"]) && !modules.contains("Engine"))
        let tested = try Set(suites("UNSAFE"))
        #expect(tested == Set(modules.subtracting(["Kafka"]).map { "\($0)Tests" }))
    }

    @Test func `are tested under ThreadSanitizer where only that finds a data race`() throws {
        let modules = SafetyRules.uncheckedModules(of: Repository.sources)
        #expect(modules.contains("TLS") && !modules.contains("Bridge"))
        #expect(
            try Set(suites("THREADED")) == Set(modules.subtracting(["Kafka"]).map { "\($0)Tests" }))
    }

    /// The modules of tests that a variable of the Makefile lists.
    private func suites(_ variable: String) throws -> [Substring] {
        let text = try Repository.text("Tests/suites.mk").replacing("\\\n", with: " ")
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(variable) := ") }
        return try #require(line).split(separator: " ").dropFirst(2).map { $0 }
    }

    @Test func `do not crash on external data`() {
        expectNone(Repository.sources.flatMap(SafetyRules.crashOffences))
    }

    @Test func `print nothing past the logger and the console`() {
        expectNone(Repository.sources.flatMap(SafetyRules.printOffences))
    }

    @Test func `control inlining only where a benchmark says so`() {
        expectNone(Repository.sources.flatMap(SafetyRules.inlineOffences))
    }

    @Test func `are found out when they inline without a benchmark`() {
        let file = SwiftFile(path: "Sources/Mapping/A.swift", text: "@inline(__always) func f() {}")
        #expect(SafetyRules.inlineOffences(in: file).count == 1)
    }

    @Test func `end the process without destructors, which its threads may outlive`() {
        expectNone(Repository.sources.flatMap(SafetyRules.exitOffences))
    }

    @Test(arguments: ["exit(0)", "if x { exit(1) }", "Glibc.exit(code)"])
    func `are found out when they end the process otherwise`(line: String) {
        let file = SwiftFile(path: "Sources/Mapping/A.swift", text: line)
        #expect(SafetyRules.exitOffences(in: file).count == 1)
    }

    @Test(arguments: [
        "let x = unsafe y", "@safe struct X {}", "var p: UnsafeMutableRawPointer?",
    ])
    func `are found out when they are unsafe`(line: String) {
        let file = SwiftFile(path: "Sources/Mapping/A.swift", text: line)
        #expect(SafetyRules.unsafeOffences(in: file).count == 1)
    }

    @Test(arguments: ["try! f()", "x as! Y", "fatalError()", "x!.y", "f()!", "a[0]!", "let x: T!"])
    func `are found out when they may crash`(line: String) {
        let file = SwiftFile(path: "Sources/Mapping/A.swift", text: line)
        #expect(SafetyRules.crashOffences(in: file).count == 1)
    }

    @Test(arguments: ["if !x {}", "a != b", "x! = 1 // y!", "f(\"x!\")", "try? f()", "a !== b"])
    func `may use the word not`(line: String) {
        let file = SwiftFile(path: "Sources/Mapping/A.swift", text: line)
        #expect(SafetyRules.crashOffences(in: file).count == (line.hasPrefix("x!") ? 1 : 0))
    }

    @Test func `need a reason for an unchecked promise`() {
        let bare = SwiftFile(path: "Sources/TLS/A.swift", text: "\nclass A: @unchecked Sendable {}")
        #expect(SafetyRules.uncheckedOffences(in: bare).count == 1)
        let reason = "// Immutable.\nclass A: @unchecked Sendable {}"
        let explained = SwiftFile(path: "Sources/TLS/A.swift", text: reason)
        #expect(SafetyRules.uncheckedOffences(in: explained).isEmpty)
    }
}
