import Encoding
import Testing
import YAML

@Suite struct `A YAML text becomes nodes` {
    @Test func `and no bytes make it crash`() throws {
        let seed = """
            a: {b: "x\\u00e9", c: [1, 'it''s', ${d}]}
            e: |
              text # ${x}
            - f: >-
                folded
            g: &h !i *j
            """
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<20_000 {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(contentsOf: bytes[index...].prefix(8), at: index)
                default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
                }
            }
            let document = YAMLDocument.read(bytes: bytes, file: "a.yaml")
            try #require(document.root != nil || !document.problems.isEmpty)
        }
    }

    @Test func `with the text of scalars as written`() throws {
        let root = try YAMLDocument.parse("[no, 012, 1E10, 1.10, ~, 'x y', \"\\u00e9\"]", file: "a")
        #expect(scalars(root) == ["no", "012", "1E10", "1.10", "~", "x y", "é"])
    }

    @Test func `with the style of scalars, so that only plain null is null`() throws {
        let root = try YAMLDocument.parse("[null, 'null', ~, '', ]", file: "a")
        #expect(root.elements?.map(\.isNull) == [true, false, true, false])
    }

    @Test func `with places counted in Unicode scalars`() throws {
        let root = try YAMLDocument.parse("é: [ü, \"🙂x\"]\nb:\n  c: d\n", file: "a")
        let list = try #require(root["é"]?.elements)
        #expect(list[1].location == SourceLocation(line: 1, column: 8))
        #expect(list[1].endLocation == SourceLocation(line: 1, column: 12))
        #expect(root["b"]?["c"]?.location == SourceLocation(line: 3, column: 6))
    }

    @Test func `with a place for each character of a scalar without escapes`() throws {
        let root = try YAMLDocument.parse("[ab, \"ab\", \"a\\tb\", 'it''s']", file: "a")
        let columns = root.elements?.map { $0.location(ofCharacter: 1).column }
        #expect(columns == [3, 8, 12, 20])
    }

    @Test(arguments: ["a: x\r\nb: y\r\n", "a: x\rb: y", "\u{FEFF}a: x\nb: y"])
    func `with any line ending and a byte order mark`(text: String) throws {
        let root = try YAMLDocument.parse(text, file: "a")
        #expect(root["b"]?.location == SourceLocation(line: 2, column: 4))
    }

    @Test func `which is an empty string if there is nothing`() throws {
        #expect(try YAMLDocument.parse("# nothing\n", file: "a").isNull)
    }

    @Test func `and its first mistake is thrown with file and place`() {
        let error = #expect(throws: YAMLError.self) {
            try YAMLDocument.parse("a: 1\na: 2", file: "x/a.yaml")
        }
        let remedy = "remove this one or the one in line 1"
        #expect(error?.description == "x/a.yaml:2:1: duplicate key 'a'; \(remedy)")
    }

    @Test func `and keeps its lines for messages`() {
        let document = YAMLDocument.read(bytes: Array("a: 1\r\nb: 2".utf8), file: "a")
        #expect(document.line(2) == "b: 2")
        #expect(document.line(3) == nil)
    }
}
