import Testing

@Suite struct `Every test` {
    @Test func `waits for what happens and never sleeps`() {
        expectNone(Repository.tests.flatMap(TestRules.sleepOffences))
    }

    @Test func `has a sentence for a name`() {
        expectNone(Repository.tests.flatMap(TestRules.nameOffences))
    }

    @Test(arguments: [
        "sleep(1)", "usleep(5)", "Thread.sleep(forTimeInterval: 1)",
        "try await Task.sleep (for: x)", "nanosleep(&t, nil)",
    ])
    func `is found out when it sleeps`(line: String) {
        let file = SwiftFile(path: "Tests/JSONTests/A.swift", text: line)
        #expect(TestRules.sleepOffences(in: file).count == 1)
    }

    @Test func `is found out when its name is not a sentence`() {
        let text = "@Test func works() {}\n@Test(arguments: [1])\nfunc `word`(x: Int) {}\n"
        let file = SwiftFile(path: "Tests/JSONTests/A.swift", text: text + "@Test func `a b`() {}")
        #expect(TestRules.nameOffences(in: file).count == 2)
    }
}
