/// Schemas in files, which may name each other's types, and define a type again in the same way.
public struct AvroSchemaFiles {
    /// Why files cannot be used, or not together.
    public struct Fault: Error, Equatable {
        /// The path of the file.
        public var path: String
        /// What is wrong.
        public var description: String
        /// What is to be done.
        public var cause: Cause
        /// The offset in the file at which it is not JSON.
        public var byte: Int?

        /// What is wrong with a file.
        public enum Cause: Sendable {
            /// No file defines a type that it names.
            case undefined
            /// Another file defines one of its types differently.
            case different
            /// Anything else.
            case other
        }
    }

    /// The schemas whose types no other file names or contains, with the paths of their files, in
    /// the order of the files.
    public private(set) var schemas: [(path: String, schema: AvroSchema)] = []

    /// Compiles files, in any order.
    public init(_ files: [(path: String, text: [UInt8])]) throws(Fault) {
        let size = files.reduce(0) { $0 + $1.text.count }
        guard size <= AvroSchema.byteLimit else {
            throw Fault(
                path: files.first?.path ?? "",
                description: "the schemas have \(size) bytes; the limit is \(AvroSchema.byteLimit)",
                cause: .other)
        }
        var collection = Collection()
        collection.parser.keepsDefaults = true
        var rest = Array(files.indices)
        while !rest.isEmpty {
            var fault: Fault?
            let found = rest.firstIndex { index in
                do throws(Fault) {
                    try collection.add(index, files[index])
                    return true
                } catch {
                    // What a file lacks may be in one with another fault.
                    if fault == nil || fault?.cause == .undefined { fault = error }
                    return false
                }
            }
            if let found {
                rest.remove(at: found)
            } else if let fault {
                throw fault
            }
        }
        for entry in collection.events {
            schemas.append(
                (
                    files[entry.index].path,
                    AvroSchema(collection.parser.parts, root: entry.root)
                ))
        }
    }

    /// The files that were read.
    fileprivate struct Collection {
        var parser = AvroSchemaParser()
        var entries: [Entry] = []
        /// The paths of the files that define types, by their full names.
        var origins: [String: String] = [:]
    }

    fileprivate struct Entry {
        var index: Int
        var root: Int32
        /// The names of its own type, or of those of its union.
        var own: Set<String>
        /// Other names in it.
        var others: Set<String>
    }
}

extension AvroSchemaFiles.Collection {
    /// Reads a file; after a fault nothing of it is kept.
    mutating func add(
        _ index: Int, _ file: (path: String, text: [UInt8])
    ) throws(AvroSchemaFiles.Fault) {
        var parser = parser
        let root: Int32
        do throws(AvroSchemaFault) {
            root = try parser.read(file.text, mayRepeat: true)
        } catch {
            let isUndefined = error.description.hasSuffix("is not defined")
            throw AvroSchemaFiles.Fault(
                path: file.path, description: error.message,
                cause: isUndefined ? .undefined : .other, byte: error.byte)
        }
        for name in parser.mentioned.sorted() {
            guard let node = parser.named[name] else { continue }
            if let before = self.parser.named[name], let origin = origins[name],
                !parser.parts.areSame(before, node)
            {
                throw AvroSchemaFiles.Fault(
                    path: file.path,
                    description: "type '\(name)' is defined differently in \(origin)",
                    cause: .different)
            }
        }
        for name in parser.mentioned where origins[name] == nil { origins[name] = file.path }
        let own = parser.names(of: root)
        entries.append(
            .init(index: index, root: root, own: own, others: parser.mentioned.subtracting(own)))
        self.parser = parser
    }

    /// The files whose types no other contains; of those with the same type the first one. If each
    /// is in another one, all of them.
    var events: [AvroSchemaFiles.Entry] {
        let sorted = entries.sorted { $0.index < $1.index }
        let different = sorted.enumerated().filter { number, entry in
            entry.own.isEmpty || !sorted[..<number].contains { $0.own == entry.own }
        }.map(\.element)
        let free = different.filter { entry in
            !different.contains { !$0.others.isDisjoint(with: entry.own) }
        }
        return free.isEmpty ? different : free
    }
}

extension AvroSchemaParser {
    /// The name of a type, or those of a union's types, as far as they have any.
    fileprivate func names(of root: Int32) -> Set<String> {
        let node = parts.nodes[Int(root)]
        let range = Int(node.first)..<Int(node.first) + Int(node.count)
        let nodes = node.kind == .union ? Set(parts.branches[range]) : [root]
        return Set(named.filter { nodes.contains($0.value) }.keys)
    }
}

extension AvroSchemaParts {
    private struct Pair: Hashable {
        var first: Int32
        var second: Int32
    }

    /// True if two types have the same records, and write them as the same JSON.
    fileprivate func areSame(_ first: Int32, _ second: Int32) -> Bool {
        var seen: Set<Pair> = []
        var rest = [Pair(first: first, second: second)]
        while let pair = rest.popLast() {
            guard pair.first != pair.second, seen.insert(pair).inserted else { continue }
            let (one, other) = (nodes[Int(pair.first)], nodes[Int(pair.second)])
            guard one.kind == other.kind, one.count == other.count, one.scale == other.scale else {
                return false
            }
            let (left, right) = (content(of: one), content(of: other))
            guard left.texts.elementsEqual(right.texts, by: haveSameBytes) else { return false }
            for (inner, same) in zip(left.types, right.types) {
                rest.append(Pair(first: inner, second: same))
            }
        }
        return true
    }

    /// The names or symbols in a type, and the types in it.
    private func content(of node: AvroNode) -> (texts: [AvroText], types: [Int32]) {
        let range = Int(node.first)..<Int(node.first) + Int(node.count)
        return switch node.kind {
        case .record: (fields[range].map(\.text), fields[range].map(\.node))
        case .union: ([], Array(branches[range]))
        case .symbol: (Array(symbols[range]), [])
        case .array, .map: ([], [node.first])
        default: ([], [])
        }
    }

    private func haveSameBytes(_ one: AvroText, _ other: AvroText) -> Bool {
        texts[Int(one.start)..<Int(one.end)] == texts[Int(other.start)..<Int(other.end)]
    }
}
