/// A JSON text with its tape, of which a few members are read.
public struct JSONDocument: ~Copyable {
    /// The nodes of the text.
    public let tape: JSONTape
    private let bytes: [UInt8]

    /// Reads a text; throws when it is not valid JSON.
    public init(_ bytes: [UInt8]) throws(JSONError) {
        var tape = JSONTape()
        try tape.read(bytes)
        self.tape = tape
        self.bytes = bytes
    }

    /// True when the text is an object.
    public var isObject: Bool { tape[0].kind == .object }

    /// The value of a member; nil when there is none, or when the node is not an object.
    public func member(_ name: String, of node: Int = 0) -> Int? {
        bytes.withBytes { tape.member(name, of: node, in: $0) }
    }

    /// The value of a member that is a string.
    public func text(_ name: String, of node: Int = 0) -> String? {
        member(name, of: node).flatMap { found in
            bytes.withBytes { tape.text(of: found, in: $0) }
        }
    }

    /// The value of a member that is a whole number.
    public func integer(_ name: String, of node: Int = 0) -> Int64? {
        member(name, of: node).flatMap { found in
            bytes.withBytes { tape.integer(of: found, in: $0) }
        }
    }

    /// The value of a member that is a number, without its fraction; nil for one that no `Int64`
    /// holds.
    public func wholePart(_ name: String, of node: Int = 0) -> Int64? {
        if let integer = integer(name, of: node) { return integer }
        guard let found = member(name, of: node), tape[found].kind == .number else { return nil }
        let token = bytes[Int(tape[found].start)..<Int(tape[found].end)]
        return Double(String(decoding: token, as: UTF8.self))
            .flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }
}
