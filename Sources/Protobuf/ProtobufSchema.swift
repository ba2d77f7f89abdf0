internal import CProtobuf

/// A `.proto` file with all that it imports, as descriptors of libprotobuf.
///
/// It never changes, so that workers share it.
@safe
public final class ProtobufSchema:
    // libprotobuf's descriptors and prototypes are only read once they are built.
    @unchecked Sendable
{
    /// The most bytes of a schema's text, imports included.
    public static let byteLimit = 1 << 20

    let pointer: OpaquePointer

    /// About how many bytes of memory it takes.
    public var byteCount: Int { unsafe cprotobuf_size(pointer) }

    /// Compiles the text of a schema; `files` are those that it may import, by name. libprotobuf
    /// has `google/protobuf/…` itself.
    public init(
        _ text: [UInt8], files: [(name: String, text: [UInt8])] = []
    ) throws(ProtobufSchemaFault) {
        let size = files.reduce(text.count) { $0 + $1.text.count }
        guard size <= Self.byteLimit else {
            throw ProtobufSchemaFault(
                message: "the schema has \(size) bytes; the limit is \(Self.byteLimit)")
        }
        guard let collection = unsafe cprotobuf_open() else {
            throw ProtobufSchemaFault(message: "out of memory")
        }
        defer { unsafe cprotobuf_close(collection) }
        for file in files {
            let isAdded = unsafe cprotobuf_add(collection, file.name, file.text, file.text.count)
            guard isAdded else { throw unsafe Self.fault(of: collection, in: file.name) }
        }
        guard let schema = unsafe cprotobuf_compile(collection, text, text.count) else {
            throw unsafe Self.fault(of: collection, in: nil)
        }
        unsafe pointer = schema
    }

    private static func fault(
        of collection: OpaquePointer, in file: String?
    ) -> ProtobufSchemaFault {
        var (line, column): (Int32, Int32) = (0, 0)
        let message = unsafe String(cString: cprotobuf_problem(collection, &line, &column))
        return ProtobufSchemaFault(
            message: message,
            location: line > 0 ? .init(line: Int(line), column: Int(column)) : nil, file: file)
    }

    deinit { unsafe cprotobuf_release(pointer) }

    /// The message at a location in the file, and in the messages around it; nil if there is none.
    func message(at indexes: [Int32]) -> Int32? {
        let found = unsafe cprotobuf_message_at(pointer, indexes, indexes.count)
        return found >= 0 ? found : nil
    }

    /// The message with a name; nil if there is none.
    func message(named name: [UInt8]) -> Int32? {
        let found = unsafe cprotobuf_message_named(pointer, name, name.count)
        return found >= 0 ? found : nil
    }
}
