/// A scalar of the connector file with its position.
struct ScalarSource {
    var text: String
    var style: MappingScalarStyle
    var location: MappingLocation
    var end: MappingLocation?
    /// Its length in Unicode scalars.
    private let count: Int

    init?(_ source: MappingSource) {
        guard case .scalar(let text, let style, let location, let end, _) = source else {
            return nil
        }
        self.text = text
        count = text.unicodeScalars.count
        self.style = style
        self.location = location
        self.end = end
    }

    /// The position of a character of the string; the scalar's own if that is unknown.
    func location(at offset: Int) -> MappingLocation {
        guard let end, end.line == location.line else { return location }
        let marks = style == .plain ? 0 : 1
        guard end.column - location.column == count + 2 * marks else {
            return location
        }
        return MappingLocation(line: location.line, column: location.column + marks + offset)
    }
}
