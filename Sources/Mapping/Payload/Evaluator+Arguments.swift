internal import JSON

/// Arrays of strings, such as the arguments of a localized string.
extension Evaluator {
    /// Writes the elements of an array as strings; `rest` is the path from an element to its
    /// string.
    ///
    /// Positions are preserved: a localized string refers to its arguments by number. Numbers are
    /// written as digits; an absent value or one of another type is a fault.
    mutating func appendArguments(
        of array: Int, _ rest: Int32?, to out: inout ByteBuffer, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) {
        out.append(UInt8(ascii: "["))
        let children = tape.children(of: array)
        var element = children.first
        while element < children.end {
            if element > children.first { out.append(UInt8(ascii: ",")) }
            let value = rest.map { node($0, from: element, in: bytes) } ?? .node(element)
            if case .absent = value { throw MappingFault(cause: .absent, hole: hole) }
            guard case .node(let node) = value,
                tape[node].kind == .string || tape[node].kind == .number
            else { throw MappingFault(cause: .unfit(.array), hole: hole) }
            out.append(UInt8(ascii: "\""))
            try append(value, to: &out, escaped: true, hole: hole, in: bytes)
            out.append(UInt8(ascii: "\""))
            element = tape.next(after: element)
        }
        out.append(UInt8(ascii: "]"))
    }
}
