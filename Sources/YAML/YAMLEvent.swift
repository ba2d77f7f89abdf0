/// One step through a YAML text, as libyaml tells it.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(text: String, style: YAMLNode.Style)
        case sequenceStart
        case mappingStart
        case collectionEnd
        case alias
        case streamEnd
        /// Nothing that matters here.
        case other
    }

    var kind: Kind
    var hasAnchor = false
    var hasTag = false
    var place: SourcePlace
    var endPlace: SourcePlace
}
