internal import Avro
internal import JSON
internal import Protobuf

/// What events can be, as files with their schemas say: for checking connectors and for examples.
///
/// Of several files, events are of the types that no other file names; the others are only parts of
/// them.
public struct RecordSchema: Sendable {
    /// A file with a schema.
    public struct File: Sendable {
        /// Its path, by which files in Protobuf import each other.
        public var path: String
        /// Its text.
        public var text: [UInt8]

        /// Creates a file.
        public init(path: String, text: [UInt8]) {
            self.path = path
            self.text = text
        }
    }

    /// Why a file is not a usable schema.
    public struct Fault: Error, Equatable {
        /// The path of the file.
        public var path: String
        /// What is wrong with it.
        public var message: String
        /// What to do, if known.
        public var remedy: String?
        /// The line and the column, from 1; 0 where that is not known.
        public var line = 0, column = 0
    }

    /// What to do about a file that is none of these.
    public static let remedy =
        "name a schema: an .avsc file with Avro's JSON, a .proto file, or its FileDescriptorProto"
        + " in Base64"

    /// What its files are in.
    public let encoding: SchemaEncoding
    /// The types of events.
    let types: [EventType]
    /// The JSON of them all.
    let shape: JSONShape
    /// The nodes of events.
    var events: [Int] { types.map(\.node) }

    /// Compiles files, in any order, all in Avro or all in Protobuf.
    public init(_ files: [File]) throws(Fault) {
        encoding = files.first?.encoding ?? .avro
        for file in files where file.encoding != encoding {
            throw Fault(
                path: file.path,
                message: "it is in \(file.encoding.name), and \(files[0].path) in"
                    + " \(encoding.name)",
                remedy: "pass the schemas of one format only")
        }
        var shape = JSONShape()
        types =
            switch encoding {
            case .avro: try AvroFiles(files).types(&shape)
            case .protobuf: try ProtobufFiles(files).types(&shape)
            }
        self.shape = shape
    }
}

extension RecordSchema.File {
    /// What it is in: its name says so, or else its text, of which that of Avro is JSON.
    fileprivate var encoding: SchemaEncoding {
        if path.hasSuffix(".avsc") { return .avro }
        if path.hasSuffix(".proto") { return .protobuf }
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first.map { "{[\"".utf8.contains($0) } ?? false ? .avro : .protobuf
    }
}

/// A type that events are of.
struct EventType: Sendable {
    enum Schema: Sendable {
        case avro(AvroSchema)
        case protobuf(ProtobufSchema, ProtobufMessage)
    }

    /// What to call it: its file, or its message.
    var name: String
    /// Its node.
    var node: Int
    var schema: Schema
}

extension RecordSchema {
    /// The JSON text that templates see of an event: it is encoded by its schema and read again.
    ///
    /// Of several types it is the first one that the event fits. Throws what does not fit.
    public func sample(_ json: [UInt8]) throws(SampleFault) -> [UInt8] {
        var faults: [String] = []
        for type in types {
            do throws(SampleFault) {
                return try type.sample(json)
            } catch {
                faults.append(types.count > 1 ? "\(type.name): \(error.message)" : error.message)
            }
        }
        throw SampleFault(message: faults.joined(separator: "; "))
    }

    /// Why an event is not one of its schema.
    public struct SampleFault: Error, Equatable {
        /// What does not fit, and where.
        public var message: String

        init(message: String) { self.message = message }

        init(path: String, _ message: String) {
            self.message = (path.isEmpty ? "" : "'\(path)': ") + message
        }
    }
}

extension EventType {
    fileprivate func sample(_ json: [UInt8]) throws(RecordSchema.SampleFault) -> [UInt8] {
        switch schema {
        case .avro(let schema):
            do throws(AvroFault) {
                return try schema.sample(json)
            } catch {
                throw RecordSchema.SampleFault(path: error.path, error.message)
            }
        case .protobuf(let schema, let message):
            do throws(ProtobufFault) {
                return try schema.sample(json, of: message)
            } catch {
                throw RecordSchema.SampleFault(path: error.path, error.message)
            }
        }
    }
}
