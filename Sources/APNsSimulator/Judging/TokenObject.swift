internal import Encoding
internal import JSON

/// A small JSON object with access to members by name.
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

    /// A time in seconds since 1970, as in section 2 of RFC 7519: a number, possibly with a
    /// fraction, which is truncated. An old sample by Apple has its digits as a string.
    func seconds(_ name: String) -> Int64? {
        guard let node = tape.member(name, of: 0, in: bytes) else { return nil }
        switch tape[node].kind {
        case .number:
            let token = tape[node]
            let text = String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
            return Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
        case .string: return tape.text(of: node, in: bytes).flatMap { Int64($0) }
        default: return nil
        }
    }
}
