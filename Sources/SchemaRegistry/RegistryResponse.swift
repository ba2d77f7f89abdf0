internal import JSON

/// A response in JSON.
struct RegistryResponse: ~Copyable {
    private let bytes: [UInt8]
    private let tape: JSONTape

    /// Throws if it is not an object in JSON.
    init(_ bytes: [UInt8], path: String) throws(RegistryFault) {
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(bytes)
        } catch {
            throw .unavailable("\(path): the response is not JSON: is it a registry?")
        }
        guard tape[0].kind == .object else {
            throw .unavailable("\(path): the response is not a schema: is it a registry?")
        }
        self.bytes = bytes
        self.tape = tape
    }

    /// A member that is a string.
    func text(_ name: String, of node: Int = 0) -> String? {
        bytes.withBytes { bytes in
            tape.member(name, of: node, in: bytes).flatMap { tape.text(of: $0, in: bytes) }
        }
    }

    private func integer(_ name: String, of node: Int = 0) -> Int64? {
        bytes.withBytes { bytes in
            tape.member(name, of: node, in: bytes).flatMap { tape.integer(of: $0, in: bytes) }
        }
    }

    /// The subjects and versions that the schema refers to.
    func references() throws(RegistryFault) -> [(subject: String, version: Int64)] {
        let list = bytes.withBytes { tape.member("references", of: 0, in: $0) }
        guard let list, tape[list].kind == .array else { return [] }
        var found: [(String, Int64)] = []
        var (child, end) = tape.children(of: list)
        while child < end {
            guard let subject = text("subject", of: child),
                let version = integer("version", of: child)
            else { throw .unusable("one of its references has no subject or no version") }
            found.append((subject, version))
            child = tape.next(after: child)
        }
        return found
    }

    /// Whether a 404 comes from a registry that does not know what was asked for, and its message.
    /// Confluent's registry, and what speaks its API, has codes of its own for that; Apicurio names
    /// an exception.
    static func refusal(_ body: [UInt8]) -> (isKnown: Bool, message: String) {
        guard let response = try? RegistryResponse(body, path: "") else { return (false, "") }
        let message = response.text("message") ?? response.text("title") ?? "not found"
        let isConfluent = response.integer("error_code").map { 40_401...40_499 ~= $0 } ?? false
        let isApicurio = response.text("name")?.hasSuffix("NotFoundException") ?? false
        return (isConfluent || isApicurio, message)
    }
}

/// Text as one part of a URL's path.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
