/// A scalar of the connector file with its position.
struct ScalarSource {
    var text: String
    var style: MappingScalarStyle
    var place: MappingPlace
    var end: MappingPlace?
    /// Its length in Unicode scalars.
    private let count: Int

    init?(_ source: MappingSource) {
        guard case .scalar(let text, let style, let place, let end, _) = source else { return nil }
        self.text = text
        count = text.unicodeScalars.count
        self.style = style
        self.place = place
        self.end = end
    }

    /// The position of a character of the string; the scalar's own if that is unknown.
    func place(at offset: Int) -> MappingPlace {
        guard let end, end.line == place.line else { return place }
        let marks = style == .plain ? 0 : 1
        guard end.column - place.column == count + 2 * marks else {
            return place
        }
        return MappingPlace(line: place.line, column: place.column + marks + offset)
    }
}
