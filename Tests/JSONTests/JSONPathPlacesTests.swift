import JSON
import Testing

@Suite struct `Paths that begin at one node` {
    private static let paths: [[JSONPathStep]] = [
        [.member("order"), .member("id")], [.member("order")],
        [.member("order"), .member("items"), .element(1), .member("sku")],
        [.member("order"), .member("nothing")],
        [.member("order"), .member("nothing"), .member("more")],
        [.member("order"), .member("id"), .member("more")], [],
    ]

    @Test func `lead where each would lead alone, in whatever order they are requested`() throws {
        let text = #"{"order":{"items":[{"sku":"A"},{"sku":"B"}],"id":7,"nothing":null},"id":1}"#
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        for first in Self.paths.indices {
            let order = Self.paths[first...] + Self.paths[..<first]
            var table = JSONPathTable()
            let numbers = order.map { table.add($0) }
            var positions = JSONPathNodes(for: table)
            for number in numbers + numbers {
                let alone = tape.find(number, of: table, in: bytes)
                let together = tape.find(
                    number, of: table, from: 0, in: unsafe bytes.span.bytes,
                    remembering: &positions)
                #expect(together == alone)
            }
        }
    }

    @Test func `find each of a hundred names of one length with one first letter`() throws {
        let names = (100..<200).map { "a\($0)" }
        var table = JSONPathTable()
        let numbers = names.map { table.add([.member($0)]) }
        let members = names.reversed().map { "\"\($0)\":\"\($0)\"" } + [#""a200":0,"b100":0"#]
        let bytes = Array("{\(members.joined(separator: ","))}".utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        var positions = JSONPathNodes(for: table)
        for (name, number) in zip(names, numbers) {
            let found = tape.find(
                number, of: table, from: 0, in: unsafe bytes.span.bytes, remembering: &positions)
            #expect(found.flatMap { tape.text(of: $0, in: bytes) } == name)
        }
    }

    @Test(arguments: [
        #"{"id":1,"id":2}"#, #"{"id":1,"\u0069d":2}"#, #"{"\u0069d":1,"id":2,"ix":3}"#,
        #"{"identifier":1,"identifies":2,"identify":3,"id":4}"#, #"{"":0,"i":1}"#, #"{"i":1,"":2}"#,
        #"{"identifier":{"id":1},"identifier":{"i":2}}"#, #"{"id":[],"identifier":7}"#, "[]",
        #"{ "id" : {"\n":1} , "identifier" : { "id" : null } }"#, "7", #"{"ID":1}"#,
    ])
    func `find a name as each would alone, whatever else the object contains`(text: String) throws {
        let names = ["", "i", "id", "\n", "identify", "identifier", "identifie"]
        let steps = names.map { JSONPathStep.member($0) }
        var table = JSONPathTable()
        let numbers =
            steps.map { table.add([$0]) }
            + steps.flatMap { outer in steps.map { table.add([outer, $0]) } }
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        var positions = JSONPathNodes(for: table)
        for number in numbers {
            let together = tape.find(
                number, of: table, from: 0, in: unsafe bytes.span.bytes, remembering: &positions)
            #expect(together == tape.find(number, of: table, in: bytes))
        }
    }

    @Test func `find names of every length`() throws {
        let names = (0..<140).map { String(repeating: "n", count: $0) }
        var table = JSONPathTable()
        let numbers = names.map { table.add([.member($0)]) }
        for end in ["", " ", "          "] {
            for (number, name) in zip(numbers, names) {
                let bytes = Array("{\"\(name)\":7}\(end)".utf8)
                var tape = JSONTape()
                try tape.read(bytes)
                for other in numbers {
                    var positions = JSONPathNodes(for: table)
                    let found = tape.find(
                        other, of: table, from: 0, in: unsafe bytes.span.bytes,
                        remembering: &positions)
                    #expect(found == (other == number ? 2 : nil))
                }
            }
        }
    }

    @Test func `are followed again after they are forgotten`() throws {
        var table = JSONPathTable()
        let path = table.add([.member("a"), .member("b")])
        var positions = JSONPathNodes(for: table)
        var tape = JSONTape()
        var found: [Int?] = []
        for text in [#"{"a":{"b":1}}"#, #"{"x":0,"a":{"b":1}}"#, "{}"] {
            let bytes = Array(text.utf8)
            try tape.read(bytes)
            positions.forget()
            found.append(
                tape.find(
                    path, of: table, from: 0, in: unsafe bytes.span.bytes, remembering: &positions))
        }
        #expect(found == [4, 6, nil])
    }

    @Test func `are shared if they are equal`() {
        var table = JSONPathTable()
        let first = table.add([.member("a"), .element(1)])
        let second = table.add([.member("a"), .element(2)])
        #expect(table.add([.member("a"), .element(1)]) == first)
        #expect(first != second)
        #expect(table.steps(of: second) == [.member("a"), .element(2)])
    }

    @Test func `lead nowhere if they are deeper than any text`() throws {
        let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        let bytes = Array(text.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        var table = JSONPathTable()
        let deepest = table.add(Array(repeating: .element(0), count: 63))
        let deeper = table.add(Array(repeating: .element(0), count: 65))
        let endless = table.add(Array(repeating: .element(0), count: 100_000))
        let found = [deepest, deeper, endless].map { tape.find($0, of: table, in: bytes) }
        #expect(found == [63, nil, nil])
    }
}

@Suite struct `The memory of a tape` {
    @Test(arguments: [
        String(repeating: "[", count: 64), "[" + String(repeating: "[],", count: 5000),
        String(repeating: "[", count: 63) + String(repeating: "0,", count: 5000),
        String(repeating: "{\"\":", count: 64), "\"", "", "[\"\",\"\",\"\"",
    ])
    func `suffices for a truncated text`(text: String) {
        #expect(throws: JSONError.self) { _ = try Parsed(text) }
    }

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 10_000])
    func `suffices for a text of nothing but values`(count: Int) throws {
        let text = "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]"
        #expect(try Parsed(text).count == count + 1)
        let objects = "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]"
        #expect(try Parsed(objects).count == count + 1)
    }
}
