import Foundation
import Testing

@Suite struct `The threats in SECURITY.md` {
    /// The last column of each row of the table.
    private func tests() throws -> [String] {
        let text = try Repository.text("SECURITY.md")
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("Threats\n") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        return rows.map { row in
            let columns = row.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return columns.count == 3 ? columns[2] : String(row)
        }
    }

    @Test func `each have a test that exists`() throws {
        let tests = try tests()
        #expect(tests.count >= 20)
        #expect(Set(tests).count == tests.count)
        for test in tests {
            let parts = test.components(separatedBy: "`: ")
            let file = try #require(parts.first).dropFirst()
            let name = try #require(parts.count == 2 ? parts[1] : nil, "\(test)")
            let source = try Repository.text("Tests/\(file).swift")
            #expect(source.contains("func `\(name)`"), "\(test)")
        }
    }
}
