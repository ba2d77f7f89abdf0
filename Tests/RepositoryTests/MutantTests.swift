import Testing
import YAML

@Suite struct `The deliberate faults that the random worlds must find` {
    private struct Mutant {
        var name: String
        var file: String
        var lines: [Substring]
    }

    /// The lines of a text without their indentation.
    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }
    }

    private static func all() throws -> [Mutant] {
        let path = "Tests/Mutants/mutants.yaml"
        let root = try YAMLDocument.parse(try Repository.text(path), file: path)
        return try #require(root.elements).map { node in
            func text(_ key: String) throws -> String { try #require(node[key]?.text) }
            return Mutant(
                name: try text("name"), file: try text("file"), lines: lines(try text("replace")))
        }
    }

    @Test func `are at least twenty, with different names`() throws {
        let names = try Self.all().map(\.name)
        #expect(names.count >= 20)
        #expect(Set(names).count == names.count)
    }

    @Test func `replace different lines`() throws {
        let locations = try Self.all().map { "\($0.file): \($0.lines.joined(separator: "\n"))" }
        #expect(Set(locations).count == locations.count)
    }

    @Test func `can each be applied at exactly one place`() throws {
        for mutant in try Self.all() {
            let text = Self.lines(try Repository.text(mutant.file))
            let locations = text.indices.filter { text[$0...].starts(with: mutant.lines) }
            #expect(locations.count == 1, "\(mutant.name): \(mutant.file)")
        }
    }
}
