internal import CYAML

/// libyaml's parser over a copy of the text, one event at a time.
///
/// Owns the parser and the bytes that it reads; both are freed with it.
@safe struct EventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// The error that libyaml reports.
    struct Failure: Error {
        var problem: String
        var context: String
        var location: SourceLocation
        var contextLocation: SourceLocation
    }

    init(_ text: [UInt8]) {
        unsafe parser = .allocate(capacity: 1)
        unsafe bytes = .allocate(capacity: max(1, text.count))
        _ = unsafe bytes.initialize(from: text)
        let made = unsafe yaml_parser_initialize(parser)
        precondition(made == 1, "libyaml allocates its parser, or there is no memory left")
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe bytes.deallocate()
    }

    mutating func next() throws(Failure) -> YAMLEvent {
        var raw = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &raw) == 1 else { throw failure() }
        let event = unsafe Self.event(raw)
        unsafe yaml_event_delete(&raw)
        return event
    }

    private static func event(_ raw: yaml_event_t) -> YAMLEvent {
        var event = unsafe YAMLEvent(
            kind: .other, location: SourceLocation(raw.start_mark),
            endLocation: SourceLocation(raw.end_mark))
        switch unsafe raw.type {
        case YAML_DOCUMENT_START_EVENT: event.kind = .documentStart
        case YAML_STREAM_END_EVENT: event.kind = .streamEnd
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: event.kind = .collectionEnd
        case YAML_ALIAS_EVENT: event.kind = .alias
        case YAML_SEQUENCE_START_EVENT:
            event.kind = .sequenceStart
            unsafe event.hasAnchor = raw.data.sequence_start.anchor != nil
            unsafe event.hasTag = raw.data.sequence_start.tag != nil
        case YAML_MAPPING_START_EVENT:
            event.kind = .mappingStart
            unsafe event.hasAnchor = raw.data.mapping_start.anchor != nil
            unsafe event.hasTag = raw.data.mapping_start.tag != nil
        case YAML_SCALAR_EVENT:
            let scalar = unsafe raw.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let style = unsafe YAMLNode.Style(scalar.style)
            event.kind = unsafe .scalar(
                text: String(decoding: bytes, as: UTF8.self), style: style)
            unsafe event.hasAnchor = scalar.anchor != nil
            unsafe event.hasTag = scalar.tag != nil
        default: break
        }
        return event
    }

    private func failure() -> Failure {
        let problem = unsafe parser.pointee.problem
        let context = unsafe parser.pointee.context
        return unsafe Failure(
            problem: problem.map { unsafe String(cString: $0) } ?? "out of memory",
            context: context.map { unsafe String(cString: $0) } ?? "",
            location: SourceLocation(parser.pointee.problem_mark),
            contextLocation: SourceLocation(parser.pointee.context_mark))
    }
}

extension SourceLocation {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}

extension YAMLNode.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .quoted
        case YAML_LITERAL_SCALAR_STYLE: self = .literal
        case YAML_FOLDED_SCALAR_STYLE: self = .folded
        default: self = .plain
        }
    }
}
