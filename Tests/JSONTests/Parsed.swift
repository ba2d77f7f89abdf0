import JSON

/// A tape together with its bytes: `#expect` does not accept noncopyable values.
final class Parsed {
    private var tape = JSONTape()
    private var bytes: [UInt8] = []

    init(_ text: String) throws(JSONError) { try read(text) }

    var count: Int { tape.count }

    func read(_ text: String) throws(JSONError) {
        bytes = Array(text.utf8)
        try tape.read(bytes)
    }

    func member(_ name: String, of node: Int) -> Int? { tape.member(name, of: node, in: bytes) }

    func integer(_ node: Int) -> Int64? { tape.integer(of: node, in: bytes) }

    func find(_ steps: JSONPathStep...) -> String? {
        var table = JSONPathTable()
        _ = table.add([.member("unused")])
        let path = table.add(steps)
        return tape.find(path, of: table, in: bytes).map(json)
    }

    func json(_ node: Int) -> String {
        var copy: [UInt8] = []
        copy.appendJSON(of: node, on: tape, in: bytes)
        return String(decoding: copy, as: UTF8.self)
    }
}
