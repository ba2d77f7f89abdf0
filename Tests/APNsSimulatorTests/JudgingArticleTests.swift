import FoundationEssentials
import Testing

@testable import APNsSimulator

@Suite struct `The article on what the simulator judges` {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Bridge/Documentation.docc/JudgingOfTheSimulator.md")

    @Test(arguments: [
        ("Pushes", Judge.rules), ("Broadcasts", Judge.broadcastRules),
        ("Channels", Judge.channelRules),
    ])
    func `has every row of the judge's tables, in their order`(
        title: String, rules: [JudgeRule]
    ) throws {
        let text = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
        let table =
            "### \(title)\n\n| answer | when | basis |\n|---|---|---|\n"
            + rules.map { "| \($0.status) `\($0.reason)` | \($0.fault) | \($0.basis.rawValue) |\n" }
            .joined()
        #expect(text.contains(table), "write this:\n\(table)")
    }
}
