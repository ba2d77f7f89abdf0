/// A list or mapping whose end has not been reached.
struct OpenCollection {
    let isMapping: Bool
    let place: SourcePlace
    var elements: [YAMLNode] = []
    var entries: [(key: YAMLNode, value: YAMLNode)] = []
    /// A key that waits for its value.
    var key: YAMLNode?
    /// The position of each key.
    var seen: [String: SourcePlace] = [:]

    init(isMapping: Bool, place: SourcePlace) {
        self.isMapping = isMapping
        self.place = place
    }

    func node(endPlace: SourcePlace) -> YAMLNode {
        let kind: YAMLNode.Kind = isMapping ? .mapping(entries) : .sequence(elements)
        return YAMLNode(kind, place: place, endPlace: endPlace)
    }
}
