/// An event of libyaml's parser.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(text: String, style: YAMLNode.Style)
        case sequenceStart
        case mappingStart
        case collectionEnd
        case alias
        case streamEnd
        /// An irrelevant event.
        case other
    }

    var kind: Kind
    var hasAnchor = false
    var hasTag = false
    var location: SourceLocation
    var endLocation: SourceLocation
}
