/// A list or mapping whose end has not been reached.
struct OpenCollection {
    let isMapping: Bool
    let location: SourceLocation
    var elements: [YAMLNode] = []
    var entries: [(key: YAMLNode, value: YAMLNode)] = []
    /// A key that waits for its value.
    var key: YAMLNode?
    /// The position of each key.
    var seen: [String: SourceLocation] = [:]

    init(isMapping: Bool, location: SourceLocation) {
        self.isMapping = isMapping
        self.location = location
    }

    func node(endLocation: SourceLocation) -> YAMLNode {
        let kind: YAMLNode.Kind = isMapping ? .mapping(entries) : .sequence(elements)
        return YAMLNode(kind, location: location, endLocation: endLocation)
    }
}
