internal import Avro
internal import Configuration
internal import Mapping
internal import Protobuf
internal import YAML

/// An event that was written with a schema, and the same event in JSON.
struct EncodedEvent {
    /// The record's value, behind byte 0 and an ID of four bytes.
    let value: [UInt8]
    /// What templates see of it, as a producer of JSON would write it.
    let json: [UInt8]
    let schema: KnownSchema

    /// The ID of its schema.
    static let id = SchemaID.id(1)

    /// Encodes an event by the schema beside the benchmark; nil if there is none.
    init?(_ event: [UInt8], named name: String) throws(Sample.Failure) {
        let file = "Benchmarks/Mapping/\(name)"
        if let text = try? InputFile.read(path: "\(file).avsc") {
            do {
                let schema = try AvroSchema(text)
                value = Self.frame + (try schema.encoded(event))
                json = try schema.sample(event)
                self.schema = .avro(schema)
            } catch {
                throw Sample.Failure(message: "\(file).avsc: \(error)")
            }
        } else if let text = try? InputFile.read(path: "\(file).proto") {
            do {
                let schema = try ProtobufSchema(text)
                guard let message = schema.shape.messages.first else { return nil }
                value = Self.frame + [0] + (try schema.encoded(event, of: message))
                json = try schema.sample(event, of: message)
                self.schema = .protobuf(schema)
            } catch {
                throw Sample.Failure(message: "\(file).proto: \(error)")
            }
        } else {
            return nil
        }
    }

    private static let frame: [UInt8] = [0, 0, 0, 0, 1]
}

extension Sample {
    /// A connector of the repository; for events in JSON, whatever the file says, if `isJSON`.
    static func connector(
        named name: String, in folder: String, isJSON: Bool
    ) throws(Failure) -> Connector {
        let path = "\(folder)/\(name).yaml"
        guard var bytes = try? InputFile.read(path: path) else {
            throw Failure(message: "\(path) cannot be read")
        }
        if isJSON {
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing("format: avro", with: "format: json")
                .replacing("format: protobuf", with: "format: json")
                .replacing(/(?m)^schema_registry:\n(?: .*\n)+/, with: "")
            bytes = Array(text.utf8)
        }
        let loaded = ConnectorFile.load(bytes: bytes, path: path, environment: [:], mode: .inspect)
        guard let connector = loaded.connector else {
            throw Failure(message: Diagnostic.report(loaded.diagnostics))
        }
        return connector
    }
}
