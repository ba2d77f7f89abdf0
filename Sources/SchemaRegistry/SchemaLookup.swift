internal import Avro
public import Configuration
internal import Encoding
public import HTTPClient
internal import JSON
public import Mapping
internal import Protobuf

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
            var visit = RegistryVisit(url: url, formats: settings.formats)
            do throws(RegistryFault) {
                let schema =
                    switch id {
                    case .id(let id): try visit.schema(at: "/schemas/ids/\(id)", get)
                    case .guid: try visit.schema(at: "/schemas/guids/\(id)", get)
                    case .long(let id): try visit.content(apicurio(url, id), get)
                    }
                return .schema(Self.compile(schema, visit.format, visit.references))
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
        case .responded(let status, let body):
            return "\(path): the response is \(RegistryResponse.error(status, body))"
        case .tooLarge: return "\(path): the response is not that of a registry"
        case .failed(let reason): return reason
        case .abandoned: return "abandoned"
        }
    }

    private func apicurio(_ url: String, _ id: UInt64) -> ApicurioPaths {
        ApicurioPaths(url: url, id: id, ids: settings.ids)
    }

    private static func compile(
        _ text: [UInt8], _ format: SchemaEncoding, _ references: [SchemaReference]
    ) -> KnownSchema {
        switch format {
        case .avro:
            do throws(AvroSchemaFault) {
                return .avro(try AvroSchema(text, references: references.map(\.text)))
            } catch {
                return .unusable(error.description)
            }
        case .protobuf:
            do throws(ProtobufSchemaFault) {
                return .protobuf(
                    try ProtobufSchema(text, files: references.map { ($0.name, $0.text) }))
            } catch {
                return .unusable(error.description)
            }
        }
    }
}
