internal import JSON

extension Evaluator {
    /// Writes the labels of an event as a JSON object, and returns those that have no value.
    ///
    /// A label without a value is null; one that is absent and optional is left out.
    mutating func takeLabels(to labels: inout [UInt8], in bytes: RawSpan) -> [LabelFault] {
        let own = fields.labels
        guard !own.isEmpty else {
            if !labels.isEmpty { labels.removeAll(keepingCapacity: true) }
            return []
        }
        // Moved out and back, so that it can be written while the rest is read.
        var out = ByteBuffer()
        swap(&out, &output)
        defer { swap(&out, &output) }
        out.removeAll()
        out.append(UInt8(ascii: "{"))
        var faults: [LabelFault] = []
        for index in own.range where !isTooExpensive {
            let label = plan.labels[index]
            let mark = out.count
            appendStart(of: label, to: &out)
            guard label.template >= 0 else { continue }
            do throws(MappingFault) {
                if try !append(label, to: &out, in: bytes) { discard(from: mark, of: &out) }
            } catch {
                discard(from: mark, of: &out)
                appendStart(of: label, to: &out)
                out.appendASCII("null")
                faults.append(LabelFault(label: index, fault: error))
            }
        }
        out.append(UInt8(ascii: "}"))
        spend(out.count)
        labels.replace(with: out)
        return faults
    }

    private mutating func appendStart(of label: LabelPlan, to out: inout ByteBuffer) {
        if out.count > 1 { out.append(UInt8(ascii: ",")) }
        out.append(plan.constants, from: Int(label.start.start), to: Int(label.start.end))
    }

    /// Writes a label's value; false when it is to be left out.
    private mutating func append(
        _ label: LabelPlan, to out: inout ByteBuffer, in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        let template = plan.templates[Int(label.template)]
        let hole = template.aloneHole
        var value = Value.absent
        var isText = true
        if hole >= 0 {
            value = try self.value(ofHole: hole, in: bytes)
            if case .absent = value { return try omit(hole) }
            isText = try isLabelText(value, hole)
        }
        if isText { out.append(UInt8(ascii: "\"")) }
        let start = out.count
        if hole >= 0 {
            try append(value, to: &out, escaped: true, hole: hole, in: bytes)
        } else {
            guard try appendParts(template, to: &out, escaped: true, in: bytes) else {
                return false
            }
        }
        guard out.count - start <= Mapper.labelByteLimit else {
            throw MappingFault(cause: .invalid(.labelLength), hole: hole)
        }
        if isText { out.append(UInt8(ascii: "\"")) }
        return true
    }

    /// True for a string, false for a number; all other values are faults.
    private mutating func isLabelText(
        _ value: Value, _ hole: Int32
    ) throws(MappingFault) -> Bool {
        switch value {
        case .text: return true
        case .number, .time: return false
        case .node(let node) where tape[node].kind == .string: return true
        case .node(let node) where tape[node].kind == .number: return false
        case .node, .boolean, .everyElement, .absent:
            throw MappingFault(cause: .invalid(.labelType), hole: hole)
        }
    }
}
