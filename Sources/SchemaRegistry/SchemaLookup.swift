internal import Avro
public import Configuration
internal import Encoding
public import HTTPClient
internal import JSON
public import Mapping

/// Looks up schemas in a registry: what to request, and what the responses mean.
///
/// Only what the registry itself says about an ID is believed. Whatever else may respond in its
/// place, such as a proxy or another service, it says nothing about a schema.
public struct SchemaLookup: Sendable {
    /// The deepest chain of references.
    public static let referenceLimit = 32

    /// What a look-up has found.
    public enum Finding: Sendable {
        /// The schema, or why it cannot be used.
        case schema(KnownSchema)
        /// The registry says that it does not know it.
        case unknown(String)
        /// The registry did not respond as one does.
        case unavailable(String)
    }

    private let settings: SchemaRegistrySettings

    /// Creates look-ups in a registry.
    public init(_ settings: SchemaRegistrySettings) { self.settings = settings }

    /// Looks up a schema and all that it refers to; `get` requests a URL.
    public func find(_ id: SchemaID, _ get: (String) -> HTTPResponse) -> Finding {
        var failure = "it has no address"
        for url in settings.urls {
            var visit = RegistryVisit(url: url)
            do throws(RegistryFault) {
                let schema =
                    switch id {
                    case .id(let id): try visit.schema(at: "/schemas/ids/\(id)", get)
                    case .guid: try visit.schema(at: "/schemas/guids/\(id)", get)
                    case .long(let id): try visit.content(apicurioPath(url, id), get)
                    }
                return .schema(Self.compile(schema, visit.references))
            } catch {
                switch error {
                case .unusable(let message): return .schema(.unusable(message))
                case .unknown(let message): return .unknown(message)
                case .unavailable(let message): failure = message
                }
            }
        }
        return .unavailable(failure)
    }

    /// Asks for something that every registry has; nil when it responds, else what is wrong.
    func check(_ url: String, _ get: (String) -> HTTPResponse) -> String? {
        let isApicurio = settings.idBytes == 8
        let isRoot = !url.hasSuffix("/apis/registry/v2") && !url.hasSuffix("/apis/registry/v3")
        let path =
            isApicurio ? (isRoot ? "/apis/registry/v3" : "") + "/system/info" : "/schemas/types"
        switch get(url + path) {
        case .responded(200, let body):
            let isRegistry = body.first == UInt8(ascii: isApicurio ? "{" : "[")
            return isRegistry ? nil : "\(path): the response is not that of a registry"
        case .responded(let status, _): return "\(path): the response is \(status)"
        case .tooLarge: return "\(path): the response is not that of a registry"
        case .failed(let reason): return reason
        case .abandoned: return "abandoned"
        }
    }

    /// Apicurio's own API: version 3, unless the address names version 2.
    private func apicurioPath(_ url: String, _ id: UInt64) -> String {
        let kind = settings.ids == .global ? "globalIds" : "contentIds"
        guard !url.hasSuffix("/apis/registry/v2") else {
            return "/ids/\(kind)/\(id)?dereference=true"
        }
        let root = url.hasSuffix("/apis/registry/v3") ? "" : "/apis/registry/v3"
        return "\(root)/ids/\(kind)/\(id)?references=DEREFERENCE"
    }

    private static func compile(_ text: [UInt8], _ references: [[UInt8]]) -> KnownSchema {
        do throws(AvroSchemaFault) {
            return .avro(try AvroSchema(text, references: references))
        } catch {
            return .unusable(error.description)
        }
    }
}

/// Why a look-up found no schema.
enum RegistryFault: Error, Equatable {
    case unusable(String)
    case unknown(String)
    case unavailable(String)
}

/// One look-up at one address.
struct RegistryVisit {
    let url: String
    /// The schemas that were referred to, each after those that it refers to itself.
    private(set) var references: [[UInt8]] = []
    private var seen: Set<String> = []
    private var byteCount = 0

    init(url: String) { self.url = url }

    /// Reads a schema as Confluent's API returns it, after all that it refers to.
    mutating func schema(
        at path: String, depth: Int = 0, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) -> [UInt8] {
        let response = try RegistryResponse(request(path, get), path: path)
        if let type = response.text("schemaType"), type != "AVRO" {
            throw .unusable("its type is \(type), not AVRO")
        }
        guard let schema = response.text("schema") else {
            throw .unavailable("\(url)\(path): the response is not a schema: is it a registry?")
        }
        for (subject, version) in try response.references() {
            guard depth < SchemaLookup.referenceLimit else {
                throw .unusable("its references are nested deeper than \(depth)")
            }
            let path = "/subjects/\(PercentEncoding.pathSegment(subject))/versions/\(version)"
            guard seen.insert(path).inserted else { continue }
            references.append(try self.schema(at: path, depth: depth + 1, get))
        }
        return try counted([UInt8](schema.utf8))
    }

    /// Reads a schema that is the response itself, as in Apicurio's API.
    mutating func content(
        _ path: String, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) -> [UInt8] {
        let body = try request(path, get)
        // A schema is JSON; a page of a proxy is not.
        guard body.first.map({ "{[\"".utf8.contains($0) }) == true else {
            throw .unavailable("\(url)\(path): the response is not a schema: is it a registry?")
        }
        return try counted(body)
    }

    private mutating func counted(_ schema: [UInt8]) throws(RegistryFault) -> [UInt8] {
        byteCount += schema.count
        guard byteCount <= AvroSchema.byteLimit else {
            throw .unusable("it has more than \(AvroSchema.byteLimit) bytes")
        }
        return schema
    }

    private func request(
        _ path: String, _ get: (String) -> HTTPResponse
    ) throws(RegistryFault) -> [UInt8] {
        switch get(url + path) {
        case .responded(200, let body): return body
        case .responded(404, let body):
            let (isKnown, message) = RegistryResponse.refusal(body)
            guard isKnown else {
                throw .unavailable(
                    "\(url)\(path): 404, and not from a registry: is the address right?")
            }
            throw .unknown(message)
        case .responded(let status, _):
            throw .unavailable("\(url)\(path): the registry responds \(status)")
        case .tooLarge: throw .unusable("the response is larger than 4 MiB")
        case .failed(let reason): throw .unavailable("\(url): \(reason)")
        case .abandoned: throw .unavailable("the process ends")
        }
    }
}
