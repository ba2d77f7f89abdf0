internal import Encoding
internal import JSON

/// A small JSON object whose members are asked for by name.
struct TokenObject: ~Copyable {
    private let bytes: [UInt8]
    private let tape: JSONTape

    init?(_ text: ArraySlice<UInt8>) {
        guard let bytes = Base64.url.decode([UInt8](text)) else { return nil }
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(bytes)
        } catch {
            return nil
        }
        self.bytes = bytes
        self.tape = tape
    }

    func string(_ name: String) -> [UInt8]? {
        tape.member(name, of: 0, in: bytes).flatMap { node in
            tape.text(of: node, in: bytes).map { [UInt8]($0.utf8) }
        }
    }

    func integer(_ name: String) -> Int64? {
        tape.member(name, of: 0, in: bytes).flatMap { tape.integer(of: $0, in: bytes) }
    }
}
