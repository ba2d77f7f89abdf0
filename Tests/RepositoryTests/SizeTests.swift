import Testing

@Suite struct `Every Swift file` {
    @Test func `has lines of at most 100 columns`() {
        expectNone(Repository.swift.flatMap(SizeRules.lineOffences))
    }

    @Test func `has at most 400 lines`() {
        expectNone(Repository.swift.flatMap(SizeRules.fileOffences))
    }

    @Test func `has functions of at most 60 lines`() {
        expectNone(Repository.swift.flatMap(SizeRules.functionOffences))
    }

    @Test(arguments: ["Arguments", "Telemetry"])
    func `that stands in for a package leaves it small`(module: String) {
        let files = Repository.sources.filter { $0.module == module }
        let lines = files.flatMap(\.code).count { !$0.allSatisfy(\.isWhitespace) }
        #expect(lines <= 600, "\(module) has \(lines) lines of code")
    }

    @Test func `is measured function by function`() {
        let text = """
            protocol P {
                func a() -> Int
                var b: Int { get }
            }
            struct S {
                var c = { 1 }()
                func d(_ body: () -> Void = {}) {
                    let e = "{"
                    if true {
                    }
                }
                init() {}
            }
            """
        let found = SizeRules.functions(of: SwiftFile(path: "A.swift", text: text))
        #expect(found.map(\.start) == [2, 5, 6, 11])
        #expect(found.map(\.lines) == [1, 1, 5, 1])
    }
}
