internal import Avro
internal import Configuration
internal import Encoding
internal import HTTPClient
internal import JSON
internal import Mapping

/// Why a look-up found no schema.
enum RegistryFault: Error, Equatable {
    case unusable(String)
    case unknown(String)
    case unavailable(String)

    /// What responds at an address is not a registry, or not one of these schemas.
    static func foreign(_ address: String) -> RegistryFault {
        .unavailable("\(address): the response is not a schema: is it a registry?")
    }
}

/// A schema that others refer to.
struct SchemaReference: Equatable {
    /// What they call it: a file that they import.
    var name: String
    var text: [UInt8]
}

/// One look-up at one address.
struct RegistryVisit {
    let url: String
    let formats: Set<SchemaEncoding>
    /// What the schema is written in, once it was read.
    private(set) var format = SchemaEncoding.avro
    /// The schemas that were referred to, each after those that it refers to itself.
    private(set) var references: [SchemaReference] = []
    private var seen: Set<String> = []
    private var byteCount = 0

    init(url: String, formats: Set<SchemaEncoding>) {
        self.url = url
        self.formats = formats
    }

    /// Reads a schema as Confluent's API returns it, after all that it refers to.
    mutating func schema(
        at path: String, depth: Int = 0, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) -> [UInt8] {
        let body = try request(path, get, isSchema: RegistryResponse.mayHaveSchema)
        let response = try RegistryResponse(body, path: url + path)
        guard let schema = response.text("schema") else { throw .foreign(url + path) }
        let type = response.text("schemaType") ?? "AVRO"
        guard let format = formats.first(where: { $0.rawValue.uppercased() == type }) else {
            let wanted = formats.map { $0.rawValue.uppercased() }.sorted()
            throw .unusable("its type is \(type), not \(wanted.joined(separator: " or "))")
        }
        for reference in try response.references() {
            let path =
                "/subjects/\(PercentEncoding.pathSegment(reference.subject))/versions/"
                + "\(reference.version)"
            guard try isNew(path, depth) else { continue }
            let text = try self.schema(at: path, depth: depth + 1, get)
            references.append(SchemaReference(name: reference.name, text: text))
        }
        self.format = format
        return try counted([UInt8](schema.utf8))
    }

    /// Reads a schema as Apicurio's own API returns it.
    mutating func content(
        _ paths: ApicurioPaths, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) -> [UInt8] {
        guard formats.contains(.protobuf) else { return try content(paths.whole, get) }
        let schema = try content(paths.content, get)
        // Only Avro's are in JSON.
        guard format == .protobuf else { return try content(paths.whole, get) }
        try follow(paths.references, paths, depth: 0, get)
        format = .protobuf
        return schema
    }

    /// Reads what a file in Apicurio imports, after what those import.
    private mutating func follow(
        _ path: String, _ paths: ApicurioPaths, depth: Int, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) {
        let list = try request(path, get) { $0.first == UInt8(ascii: "[") }
        for reference in try ApicurioReference.list(list, path: url + path) {
            let version = paths.version(of: reference)
            guard try isNew(version, depth) else { continue }
            try follow(version + "/references", paths, depth: depth + 1, get)
            let text = try content(paths.content(of: version), get)
            references.append(SchemaReference(name: reference.name, text: text))
        }
    }

    /// False for what was read already; throws where references are nested without end.
    private mutating func isNew(_ path: String, _ depth: Int) throws(RegistryFault) -> Bool {
        guard depth < SchemaLookup.referenceLimit else {
            throw .unusable("its references are nested deeper than \(depth)")
        }
        return seen.insert(path).inserted
    }

    /// Reads a schema that is the response itself.
    private mutating func content(
        _ path: String, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) -> [UInt8] {
        let body = try request(path, get) { SchemaText.format(of: $0) != nil }
        guard let format = SchemaText.format(of: body), formats.contains(format) else {
            throw .foreign(url + path)
        }
        self.format = format
        return try counted(body)
    }

    private mutating func counted(_ schema: [UInt8]) throws(RegistryFault) -> [UInt8] {
        byteCount += schema.count
        guard byteCount <= AvroSchema.byteLimit else {
            throw .unusable("it has more than \(AvroSchema.byteLimit) bytes")
        }
        return schema
    }

    /// Requests something. A response of more than 4 MiB is taken for the registry's only if it
    /// begins as a schema does.
    private func request(
        _ path: String, _ get: (String) -> HTTPResponse, isSchema: ([UInt8]) -> Bool
    ) throws(RegistryFault) -> [UInt8] {
        switch get(url + path) {
        case .responded(200, let body): return body
        case .responded(404, let body):
            let (isKnown, message) = RegistryResponse.refusal(body)
            guard isKnown else {
                throw .unavailable(
                    "\(url)\(path): 404, and not from a registry: is the address right?")
            }
            throw .unknown(message ?? "not found")
        case .responded(let status, let body):
            let error = RegistryResponse.error(status, body)
            throw .unavailable("\(url)\(path): the registry responds \(error)")
        case .tooLarge(200, let beginning) where isSchema(beginning):
            throw .unusable("the response is larger than 4 MiB")
        case .tooLarge(let status, _):
            throw .unavailable(
                "\(url)\(path): the response has the status \(status) and more than 4 MiB:"
                    + " is it a registry?")
        case .failed(let reason): throw .unavailable("\(url)\(path): \(reason)")
        case .abandoned: throw .unavailable("the process ends")
        }
    }
}
