internal import JSON

extension Evaluator {
    /// Appends a template as a string; false when the whole key is to be omitted.
    mutating func appendText(
        _ template: Int32, to out: inout ByteBuffer, in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        let compiled = plan.templates[Int(template)]
        guard compiled.aloneHole >= 0 else {
            return try appendParts(compiled, to: &out, escaped: false, in: bytes)
        }
        let hole = compiled.aloneHole
        let value = try value(ofHole: hole, in: bytes)
        if case .absent = value { return try omit(hole) }
        guard !isBoolean(value) else { throw MappingFault(cause: .unfit(.text), hole: hole) }
        try append(value, to: &out, escaped: false, hole: hole, in: bytes)
        return true
    }

    private mutating func isBoolean(_ value: Value) -> Bool {
        switch value {
        case .boolean: true
        case .node(let node): tape[node].kind == .boolean
        default: false
        }
    }

    /// No operand is present: omitted if `?` allows it, otherwise a fault.
    mutating func omit(_ hole: Int32) throws(MappingFault) -> Bool {
        guard plan.holes[Int(hole)].isOptional else {
            throw MappingFault(cause: .absent, hole: hole)
        }
        return false
    }

    mutating func appendParts(
        _ template: MappingPlan.Template, to out: inout ByteBuffer, escaped: Bool, in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        for index in template.parts.start..<template.parts.end {
            switch plan.parts[Int(index)] {
            case .text(let piece):
                out.append(plan.constants, from: Int(piece.start), to: Int(piece.end))
            case .hole(let hole):
                let value = try value(ofHole: hole, in: bytes)
                if case .absent = value { return try omit(hole) }
                try append(value, to: &out, escaped: escaped, hole: hole, in: bytes)
                guard out.count <= workLeft else { throw tooExpensive(hole) }
            }
        }
        return true
    }

    /// Appends a value as a string; objects and arrays are faults.
    mutating func append(
        _ value: Value, to out: inout ByteBuffer, escaped: Bool, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) {
        switch value {
        case .node(let node):
            let entry = tape[node]
            switch entry.kind {
            case .string where escaped: out.appendStringContent(of: node, on: tape, in: bytes)
            case .string: out.appendText(of: node, on: tape, in: bytes)
            case .number, .boolean:
                out.append(bytes.extracting(Int(entry.start)..<Int(entry.end)))
            case .object, .array, .null: throw MappingFault(cause: .unfit(.text), hole: hole)
            }
        case .text(let piece):
            if escaped { appendEscaped(piece, to: &out) } else { append(piece, to: &out) }
        case .number(let piece): append(piece, to: &out)
        case .boolean(let value): out.appendASCII(value ? "true" : "false")
        case .time(let number): out.appendDecimal(number)
        case .everyElement, .absent: throw MappingFault(cause: .unfit(.text), hole: hole)
        }
    }

    private mutating func append(_ piece: TextPiece, to out: inout ByteBuffer) {
        if piece.isConstant {
            out.append(plan.constants, from: piece.start, to: piece.end)
        } else {
            out.append(scratch, from: piece.start, to: piece.end)
        }
    }

    private mutating func appendEscaped(_ piece: TextPiece, to out: inout ByteBuffer) {
        if piece.isConstant {
            out.appendJSONText(plan.constants, from: piece.start, to: piece.end)
        } else {
            out.appendJSONText(scratch, from: piece.start, to: piece.end)
        }
    }

    /// Appends a template as a JSON value; false when the whole key is to be omitted.
    mutating func appendJSON(
        _ template: Int32, as target: PayloadTarget, to out: inout ByteBuffer, in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        let compiled = plan.templates[Int(template)]
        let hole = compiled.aloneHole
        guard hole >= 0 else {
            let start = out.count + 1
            out.append(UInt8(ascii: "\""))
            guard try appendParts(compiled, to: &out, escaped: true, in: bytes) else {
                return false
            }
            try check(out, from: start, as: target, hole: -1)
            if target == .shown, out.count > start { displaysText = true }
            out.append(UInt8(ascii: "\""))
            return true
        }
        let value = try value(ofHole: hole, in: bytes)
        switch value {
        case .absent: return try omit(hole)
        case .node(let node): try append(node, as: target, to: &out, hole: hole, in: bytes)
        case .text(let piece) where plan.holes[Int(hole)].isParsed:
            try append(parsed: piece, as: target, to: &out, hole: hole)
        case .text:
            guard target.takesText else { throw MappingFault(cause: .unfit(target), hole: hole) }
            try appendQuoted(value, as: target, to: &out, hole: hole, in: bytes)
        case .number, .time: try append(number: value, as: target, to: &out, hole: hole, in: bytes)
        case .boolean(let isTrue):
            guard target == .any || target == .yes && isTrue else {
                throw MappingFault(cause: .unfit(target), hole: hole)
            }
            out.appendASCII(isTrue ? "true" : "false")
        case .everyElement(let array, let rest):
            guard target == .any || target == .array else {
                throw MappingFault(cause: .unfit(target), hole: hole)
            }
            guard target == .any else {
                try appendArguments(of: array, rest, to: &out, hole: hole, in: bytes)
                return true
            }
            appendElements(of: array, rest, to: &out, in: bytes)
        }
        return true
    }

    private mutating func append(
        _ node: Int, as target: PayloadTarget, to out: inout ByteBuffer, hole: Int32,
        in bytes: RawSpan
    ) throws(MappingFault) {
        let kind = tape[node].kind
        let isFit: Bool
        switch kind {
        case .null: isFit = false
        case .boolean: isFit = target == .any || target == .yes && tape.isTrue(node, in: bytes)
        case .number where target == .any:
            let entry = tape[node]
            return out.append(bytes.extracting(Int(entry.start)..<Int(entry.end)))
        case .number:
            return try append(number: .node(node), as: target, to: &out, hole: hole, in: bytes)
        case .string:
            guard target.takesText else { throw MappingFault(cause: .unfit(target), hole: hole) }
            return try appendQuoted(.node(node), as: target, to: &out, hole: hole, in: bytes)
        case .array: isFit = target == .any || target == .array
        case .object: isFit = target == .any || target == .object || target == .textOrObject
        }
        guard isFit else { throw MappingFault(cause: .unfit(target), hole: hole) }
        if target == .array {
            return try appendArguments(of: node, nil, to: &out, hole: hole, in: bytes)
        }
        out.appendJSON(of: node, on: tape, in: bytes)
    }

    /// A number stays a number, unless a string is required: then its digits are the string.
    private mutating func append(
        number value: Value, as target: PayloadTarget, to out: inout ByteBuffer, hole: Int32,
        in bytes: RawSpan
    ) throws(MappingFault) {
        guard target == .any || !target.takesText else {
            return try appendQuoted(value, as: target, to: &out, hole: hole, in: bytes)
        }
        if target != .any, !isPlainCount(value, as: target, in: bytes) {
            let start = out.count
            try append(value, to: &out, escaped: false, hole: hole, in: bytes)
            token.replace(with: out, from: start)
            if target.respell(&token) {
                out.removeAll(from: start)
                out.append(token)
            }
            guard let cause = target.fault(number: token) else { return }
            refusedTime = WrittenTime.specifics(of: token)
            throw MappingFault(cause: cause, hole: hole)
        }
        try append(value, to: &out, escaped: false, hole: hole, in: bytes)
    }

    /// True for a positive integer of the event where that is all that is asked for.
    private mutating func isPlainCount(
        _ value: Value, as target: PayloadTarget, in bytes: RawSpan
    ) -> Bool {
        guard target == .count, case .node(let node) = value else { return false }
        return tape.integer(of: node, in: bytes).map { $0 > 0 } ?? false
    }

    private mutating func appendQuoted(
        _ value: Value, as target: PayloadTarget, to out: inout ByteBuffer, hole: Int32,
        in bytes: RawSpan
    ) throws(MappingFault) {
        let start = out.count + 1
        out.append(UInt8(ascii: "\""))
        try append(value, to: &out, escaped: true, hole: hole, in: bytes)
        try check(out, from: start, as: target, hole: hole)
        if target == .shown, out.count > start { displaysText = true }
        out.append(UInt8(ascii: "\""))
    }

    /// Checks a string where only certain ones are accepted.
    private mutating func check(
        _ out: borrowing ByteBuffer, from start: Int, as target: PayloadTarget, hole: Int32
    ) throws(MappingFault) {
        guard target.isRestricted else { return }
        if let cause = target.fault(text: out.copy(from: start)) {
            throw MappingFault(cause: cause, hole: hole)
        }
    }

    private mutating func appendElements(
        of array: Int, _ rest: Int32, to out: inout ByteBuffer, in bytes: RawSpan
    ) {
        out.append(UInt8(ascii: "["))
        let start = out.count
        var next = firstElement(of: array, rest, in: bytes)
        while let found = next {
            if out.count > start { out.append(UInt8(ascii: ",")) }
            out.appendJSON(of: found.node, on: tape, in: bytes)
            next = element(behind: found, rest, in: bytes)
        }
        out.append(UInt8(ascii: "]"))
    }

    /// Writes the complete payload.
    mutating func appendPayload(to out: inout ByteBuffer, in bytes: RawSpan) throws(MappingFault) {
        displaysText = false
        activityEvent = []
        activityKey = nil
        let steps = plan.blocks[block].payload.range
        var next = steps.lowerBound
        while next < steps.upperBound {
            let step = plan.steps[next]
            next += 1
            switch step {
            case .raw(let piece):
                out.append(plan.constants, from: Int(piece.start), to: Int(piece.end))
            case .comma: if isBehindItem(out) { out.append(UInt8(ascii: ",")) }
            case .value(let template, let target):
                _ = try appendJSON(template, as: target, to: &out, in: bytes)
            case .text(let hole):
                let value = try value(ofHole: hole, in: bytes)
                if case .absent = value {
                    throw MappingFault(cause: .absent, hole: hole)
                }
                try append(value, to: &out, escaped: true, hole: hole, in: bytes)
            case .spread(let template, let names, let isTop):
                try appendMembers(
                    of: template, besides: names, isTop: isTop, to: &out, in: bytes)
            case .optional(let name, let comma, let template, let target):
                let mark = out.count
                switch comma {
                case .never: break
                case .always: out.append(UInt8(ascii: ","))
                case .unlessFirst: if isBehindItem(out) { out.append(UInt8(ascii: ",")) }
                }
                out.append(plan.constants, from: Int(name.start), to: Int(name.end))
                if try !appendJSON(template, as: target, to: &out, in: bytes) {
                    discard(from: mark, of: &out)
                }
            case .activityEvent, .timestamp, .moment:
                try append(activity: step, to: &out, in: bytes)
            case .onlyFor(let events, let count):
                if !events.contains(activityEvent) { next += Int(count) }
            }
            guard out.count <= workLeft else { throw tooExpensive(-1) }
        }
    }

    /// Removes what was written for a value that is left out. It counts nevertheless.
    mutating func discard(from mark: Int, of out: inout ByteBuffer) {
        spend(out.count - mark)
        out.removeAll(from: mark)
    }

    /// False when the object or array has just begun: no value ends with these characters.
    mutating func isBehindItem(_ out: borrowing ByteBuffer) -> Bool {
        out.last != UInt8(ascii: "{") && out.last != UInt8(ascii: "[")
    }
}
