internal import Configuration
internal import Encoding
internal import JSON

/// Where Apicurio's own API has a schema: version 3, unless the address names version 2.
struct ApicurioPaths {
    private let root: String
    private let isOld: Bool
    /// The schema alone.
    let content: String

    init(url: String, id: UInt64, ids: SchemaRegistrySettings.IDs) {
        isOld = url.hasSuffix("/apis/registry/v2")
        root = isOld || url.hasSuffix("/apis/registry/v3") ? "" : "/apis/registry/v3"
        content = "\(root)/ids/\(ids == .global ? "globalIds" : "contentIds")/\(id)"
    }

    /// The schema with all that it refers to inside it.
    var whole: String { content + (isOld ? "?dereference=true" : "?references=DEREFERENCE") }

    /// The list of what it refers to.
    var references: String { content + "/references" }

    /// A version of an artifact that something refers to.
    func version(of reference: ApicurioReference) -> String {
        let group = PercentEncoding.pathSegment(reference.group)
        let artifact = PercentEncoding.pathSegment(reference.artifact)
        let version = PercentEncoding.pathSegment(reference.version)
        return "\(root)/groups/\(group)/artifacts/\(artifact)/versions/\(version)"
    }

    /// The schema of such a version alone.
    func content(of version: String) -> String { isOld ? version : version + "/content" }
}

/// What a file in Apicurio imports.
struct ApicurioReference {
    /// What the file calls it.
    var name: String
    var group: String
    var artifact: String
    var version: String

    /// Reads a list of them.
    static func list(_ bytes: [UInt8], path: String) throws(RegistryFault) -> [ApicurioReference] {
        guard let document = try? JSONDocument(bytes), document.tape[0].kind == .array else {
            throw .unavailable("\(path): the response is not a list: is it a registry?")
        }
        var found: [ApicurioReference] = []
        var (child, end) = document.tape.children(of: 0)
        while child < end {
            guard let name = document.text("name", of: child),
                let artifact = document.text("artifactId", of: child),
                let version = document.text("version", of: child)
            else { throw .unusable("one of its references has no name, artifact or version") }
            found.append(
                ApicurioReference(
                    name: name, group: document.text("groupId", of: child) ?? "default",
                    artifact: artifact, version: version))
            child = document.tape.next(after: child)
        }
        return found
    }
}
