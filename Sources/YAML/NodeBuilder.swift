/// Turns libyaml's events into nodes, and rejects what this dialect does not support.
struct NodeBuilder {
    private(set) var problems: [YAMLError] = []
    private let source: SourceText
    private let file: String
    private var open: [OpenCollection] = []
    private var root: YAMLNode?

    /// After so many problems the rest is not read.
    static let problemLimit = 100
    /// More levels than any hand-written file has.
    private static let depthLimit = 64

    init(source: SourceText, file: String) {
        self.source = source
        self.file = file
    }

    /// Reads to the end, or to the first error after which the rest is unreliable.
    mutating func build() -> YAMLNode? {
        var reader = EventReader(source.bytes)
        var documents = 0
        do {
            while true {
                let event = try reader.next()
                switch event.kind {
                case .documentStart:
                    documents += 1
                    if documents > 1 {
                        refuse(event.location, 3, "a second document", "move it to its own file")
                        return nil
                    }
                case .streamEnd:
                    let start = SourceLocation(line: 1, column: 1)
                    return root
                        ?? YAMLNode(
                            .scalar(text: "", style: .plain), location: start, endLocation: start)
                default:
                    guard take(event) else { return nil }
                }
            }
        } catch {
            problems.append(error.explained(in: source, file: file))
            return nil
        }
    }

    private mutating func take(_ event: YAMLEvent) -> Bool {
        guard problems.count < Self.problemLimit else { return false }
        refuseProperties(of: event)
        switch event.kind {
        case .scalar(let text, let style):
            let node = YAMLNode(
                .scalar(text: text, style: style), location: event.location,
                endLocation: event.endLocation)
            add(node)
        case .alias:
            refuse(
                event, "an alias, which is not supported",
                "write the value out, or quote values that start with '*'")
            add(
                YAMLNode(
                    .scalar(text: "", style: .quoted), location: event.location,
                    endLocation: event.endLocation)
            )
        case .sequenceStart:
            open.append(OpenCollection(isMapping: false, location: event.location))
        case .mappingStart:
            open.append(OpenCollection(isMapping: true, location: event.location))
        case .collectionEnd:
            if let collection = open.popLast() {
                add(collection.node(endLocation: event.endLocation))
            }
        default: break
        }
        guard open.count <= Self.depthLimit else {
            refuse(
                event.location, 1, "more than \(Self.depthLimit) levels", "reduce the nesting")
            return false
        }
        return true
    }

    private mutating func add(_ node: YAMLNode) {
        guard var collection = open.popLast() else {
            root = node
            return
        }
        if !collection.isMapping {
            refuseComment(behind: node)
            collection.elements.append(node)
        } else if let key = collection.key {
            refuseComment(behind: node)
            collection.entries.append((key, node))
            collection.key = nil
        } else {
            collection.key = node
            refuseKey(node, in: &collection)
        }
        open.append(collection)
    }

    private mutating func refuseKey(_ key: YAMLNode, in collection: inout OpenCollection) {
        guard case .scalar(let text, let style) = key.kind else {
            refuse(
                key.location, 1, "a key that is a list or a map",
                "quote keys that start with a bracket")
            return
        }
        if text == "<<", style == .plain {
            refuse(key.location, 2, "a merge key '<<'", "write the keys out")
        }
        if let first = collection.seen[text] {
            refuse(
                key.location, key.length, "duplicate key '\(text)'",
                "remove this one or the one in line \(first.line)")
        } else {
            collection.seen[text] = key.location
        }
    }

    private mutating func refuseProperties(of event: YAMLEvent) {
        if event.hasAnchor {
            refuse(
                event, "an anchor, which is not supported",
                "write the value out, or quote values that start with '&'")
        }
        if event.hasTag {
            refuse(
                event, "a tag, which is not supported",
                "remove it, or quote values that start with '!'")
        }
    }

    private mutating func refuseComment(behind node: YAMLNode) {
        guard let problem = source.hiddenTemplate(behind: node, file: file) else { return }
        problems.append(problem)
    }

    private mutating func refuse(_ event: YAMLEvent, _ message: String, _ remedy: String) {
        let length =
            event.endLocation.line == event.location.line
            ? event.endLocation.column - event.location.column : 1
        refuse(event.location, max(1, length), message, remedy)
    }

    private mutating func refuse(
        _ location: SourceLocation, _ length: Int, _ message: String, _ remedy: String
    ) {
        problems.append(
            YAMLError(
                file: file, location: location, length: length, message: message, remedy: remedy))
    }
}
