internal import JSON

/// A response in JSON.
struct RegistryResponse: ~Copyable {
    private let document: JSONDocument

    /// Throws if it is not an object in JSON.
    init(_ bytes: [UInt8], path: String) throws(RegistryFault) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes)
        } catch {
            throw .unavailable("\(path): the response is not JSON: is it a registry?")
        }
        guard document.isObject else {
            throw .foreign(path)
        }
        self.document = document
    }

    /// A member that is a string.
    func text(_ name: String) -> String? { document.text(name) }

    /// The subjects and versions that the schema refers to.
    func references() throws(RegistryFault) -> [(name: String, subject: String, version: Int64)] {
        guard let list = document.member("references"), document.tape[list].kind == .array
        else { return [] }
        var found: [(String, String, Int64)] = []
        var (child, end) = document.tape.children(of: list)
        while child < end {
            guard let subject = document.text("subject", of: child),
                let version = document.integer("version", of: child)
            else { throw .unusable("one of its references has no subject or no version") }
            found.append((document.text("name", of: child) ?? subject, subject, version))
            child = document.tape.next(after: child)
        }
        return found
    }

    /// True for the beginning of a response that has a schema.
    static func mayHaveSchema(_ beginning: [UInt8]) -> Bool {
        beginning.first { $0 > 0x20 } == UInt8(ascii: "{")
            && String(decoding: beginning, as: UTF8.self).contains("\"schema\"")
    }

    /// The status of a response, with the message that a registry gives for it.
    static func error(_ status: Int, _ body: [UInt8]) -> String {
        "\(status)" + (refusal(body).message.map { ": \($0)" } ?? "")
    }

    /// Whether a 404 comes from a registry that does not know what was asked for, and the message
    /// of any error; nil without one.
    /// Confluent's registry, and what speaks its API, has codes of its own for that; Apicurio names
    /// an exception.
    static func refusal(_ body: [UInt8]) -> (isKnown: Bool, message: String?) {
        guard let response = try? RegistryResponse(body, path: "") else { return (false, nil) }
        let message = (response.text("message") ?? response.text("title")).map {
            String($0.prefix(300))
        }
        let isConfluent =
            response.document.integer("error_code").map { 40_401...40_499 ~= $0 } ?? false
        let isApicurio = response.text("name")?.hasSuffix("NotFoundException") ?? false
        return (isConfluent || isApicurio, message)
    }
}
