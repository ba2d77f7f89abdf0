import Delivery
import Foundation
import Testing

@Suite struct `The reasons of dropped pushes` {
    /// The rows of the article that lists them: the reason, its meaning, and whether a dead letter
    /// is written.
    private func rows() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
        let path = "../../Sources/Bridge/Documentation.docc/DropReasons.md"
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return [cells[0].replacing("`", with: ""), cells[1], cells[cells.count - 1]]
        }
    }

    @Test func `are all in the article, with what they mean and their dead letter`() throws {
        let expected = DropReason.allCases.map {
            [$0.rawValue, $0.meaning, $0.leavesDeadLetter ? "yes" : "no"]
        }
        #expect(try rows() == expected)
    }
}
