import Testing

@Suite struct `Every public declaration` {
    @Test func `has a summary that is a sentence`() {
        expectNone(Repository.sources.flatMap(DocumentationRules.offences))
    }

    @Test(arguments: [
        "public struct A {}", "/// No stop\npublic struct A {}",
        "// No summary.\npublic struct A {}",
        "///\n/// Late.\npublic struct A {}", "@frozen public enum A {}",
    ])
    func `is found out without one`(text: String) {
        let file = SwiftFile(path: "Sources/JSON/A.swift", text: text)
        #expect(DocumentationRules.offences(in: file).count == 1)
    }

    @Test(arguments: [
        "/// A thing.\npublic struct A {}",
        "/// A thing of\n/// two lines.\n///\n/// Why\n@safe\npublic var a = 1",
        "public import Glibc", "struct A {}",
    ])
    func `is left alone with one`(text: String) {
        let file = SwiftFile(path: "Sources/JSON/A.swift", text: text)
        #expect(DocumentationRules.offences(in: file).isEmpty)
    }
}
