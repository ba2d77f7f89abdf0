import Foundation
import Testing

@Suite struct `The targets of make fuzz` {
    private static let corpus = "Tests/Fuzzing/Corpus"

    @Test func `have examples to start from, and large ones for the cost`() throws {
        let makefile = try Repository.text("Makefile")
        let list = try #require(makefile.firstMatch(of: /FUZZ_TARGETS \?= ([^\n]+)/)).output.1
        let program = try Repository.text("Tests/Fuzzing/Targets/Fuzz.swift")
        for target in list.split(separator: " ") {
            #expect(program.contains("case \"\(target)\": unsafe"), "\(target)")
            let folder = Repository.root.appending(path: "\(Self.corpus)/\(target)").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count > 0)
        }
        #expect(list.split(separator: " ").contains("cost"))
        // As long as an event may be, and no shorter for being only an example.
        let script = try Repository.text("Tests/Fuzzing/run.sh")
        #expect(script.contains(#"[ "$target" != cost ] || options+=(-max_len=1048576)"#))
        for (name, marks) in [
            ("left-out", [1, 2, 3, 4]), ("marks", [1, 2, 3, 4]), ("names", [1, 2, 3, 4]),
            ("many-names", [1, 2, 3, 4]),
        ] as [(String, [UInt8])] {
            let text = try Repository.text("\(Self.corpus)/cost/\(name).json")
            for mark in marks { #expect(text.utf8.contains(mark), "\(name)") }
        }
    }
}
