internal import JSON

/// Checks of templates against the schemas of events.
extension PlanBuilder {
    /// Checks the paths of a hole, and that its value can be of a kind that its place takes.
    mutating func check(
        shapeOf hole: Template.Hole, isAlone: Bool, from scalar: ScalarSource, _ use: TemplateUse
    ) {
        guard shape != nil || keyShape != nil, use.hasLocation else { return }
        let mayBeAbsent =
            hole.isOptional || use.isLabel || hole.transforms.contains { $0.name == "default" }
        for argument in hole.transforms.flatMap(\.arguments) {
            _ = kinds(of: argument.operands, of: hole, from: scalar, mayBeAbsent: true)
        }
        guard
            let found = kinds(
                of: hole.operands, of: hole, from: scalar, mayBeAbsent: mayBeAbsent)
        else { return }
        let location = scalar.location(at: hole.offset)
        guard let kinds = check(hole.transforms, of: hole, found, from: scalar) else { return }
        let wanted = isAlone ? use.wanted : .inText
        guard kinds != [], kinds.isDisjoint(with: wanted.kinds) else { return }
        let message = "'\(hole.written)' is \(kinds.name) in the schema, not \(wanted.message)"
        let remedy = wanted.remedy(for: kinds, hole)
        if use.isLabel {
            warning(location, message, remedy)
        } else {
            error(location, message, remedy)
        }
    }

    /// The kinds of values that operands may have, but null, which counts as absent; nil when that
    /// is unknown. Reports paths that lead to nothing: it is an error if all do and the value must
    /// be present.
    private mutating func kinds(
        of operands: [Template.Operand], of hole: Template.Hole, from scalar: ScalarSource,
        mayBeAbsent: Bool
    ) -> JSONShape.Kinds? {
        var kinds: JSONShape.Kinds = []
        var misses: [EventShape.Miss] = []
        for operand in operands {
            switch operand {
            case .text: kinds.formUnion(.string)
            case .number: kinds.formUnion(.number)
            case .boolean: kinds.formUnion(.boolean)
            case .path(let path):
                do throws(EventShape.Miss) {
                    kinds.formUnion(try self.kinds(at: path))
                } catch {
                    misses.append(error)
                }
            }
        }
        let isError = misses.count == operands.count && !mayBeAbsent
        for miss in misses {
            let location = scalar.location(at: hole.offset)
            let message = "'\(hole.written)': \(miss.message)"
            if isError {
                error(location, message, miss.remedy)
            } else {
                warning(location, message, miss.remedy)
            }
        }
        return misses.isEmpty ? kinds.subtracting(.null) : nil
    }

    /// The kinds of values that a path may lead to.
    private func kinds(at path: Template.Path) throws(EventShape.Miss) -> JSONShape.Kinds {
        switch path.root {
        case .event, .value:
            guard let shape else { return .all }
            switch try follow(path) {
            case .list: return .array
            // Nothing is known of an element whose list is wrong.
            case .nodes(let nodes): return nodes.isEmpty ? .all : shape.shape.kinds(of: nodes)
            }
        case .key where path.steps.isEmpty: return .string
        case .key:
            for case .lookUp(let inner) in path.steps { _ = try kinds(at: inner) }
            guard let keyShape else { return .all }
            switch try keyShape.follow(path.steps[...], from: keyShape.event, "@key") {
            case .list: return .array
            case .nodes(let nodes): return keyShape.shape.kinds(of: nodes)
            }
        case .topic, .header, .attribute: return .string
        case .timestamp, .partition, .offset: return .number
        }
    }

    /// Follows a path into the event, its value, or an element of the block's list.
    func follow(_ path: Template.Path) throws(EventShape.Miss) -> EventShape.Found {
        guard let shape else { return .nodes([]) }
        for case .lookUp(let inner) in path.steps { _ = try kinds(at: inner) }
        if path.root == .value {
            return try shape.follow(path.steps[...], from: shape.schema.events, "@value")
        }
        if let elementName, case .member(elementName)? = path.steps.first {
            guard let element = shape.element else { return .nodes([]) }
            return try shape.follow(path.steps.dropFirst(), from: element, elementName)
        }
        return try shape.follow(path.steps[...], from: shape.event)
    }

    /// The kinds of a value after transforms; nil, with an error, if one cannot take it.
    private mutating func check(
        _ transforms: [Template.Transform], of hole: Template.Hole, _ found: JSONShape.Kinds,
        from scalar: ScalarSource
    ) -> JSONShape.Kinds? {
        var kinds = found
        for transform in transforms {
            guard let name = TransformName(rawValue: transform.name) else { return nil }
            guard kinds == [] || !kinds.isDisjoint(with: name.takenKinds) else {
                error(
                    scalar.location(at: transform.offset),
                    "'\(name.rawValue)' takes \(name.taken), but the value is \(kinds.name) in the"
                        + " schema",
                    name.remedy(for: kinds))
                return nil
            }
            kinds = name.givenKinds(of: kinds)
        }
        return kinds
    }

    /// What elements of a list are, once `items` is known.
    mutating func setElements(of hole: Template.Hole) {
        guard shape != nil else { return }
        var nodes: [Int] = []
        for case .path(let path) in hole.operands {
            guard case .nodes(let found)? = try? follow(path) else { continue }
            nodes += shape?.shape.elements(of: found) ?? []
        }
        shape?.element = nodes.isEmpty ? nil : nodes
    }

    /// What the event is, once its paths in the value are known. It may be in a string.
    mutating func setEvent(of hole: Template.Hole) {
        guard let before = shape else { return }
        var nodes: [Int] = []
        for case .path(let path) in hole.operands {
            guard case .nodes(let found)? = try? follow(path) else { continue }
            nodes += found
        }
        let kinds = before.shape.kinds(of: nodes)
        // Nothing is known of a text inside of another.
        shape = kinds.contains(.string) || nodes.isEmpty ? nil : before
        shape?.event = nodes
    }
}

extension TransformName {
    /// The kinds of values that it may take.
    fileprivate var takenKinds: JSONShape.Kinds {
        switch self {
        case .upper, .lower, .trim, .truncate, .nonempty, .hex, .replace, .parse, .language:
            .string
        case .text, .map: [.string, .number, .boolean]
        case .number: [.string, .number]
        case .date: WantedKinds.time.kinds
        case .fixed, .shift, .plus, .minus: .number
        case .join: .array
        case .length: [.string, .array, .object]
        case .json, .default: .all
        }
    }

    /// What to write for values that it cannot take.
    fileprivate func remedy(for kinds: JSONShape.Kinds) -> String {
        if kinds == .array { return "select one element, such as [0], or use | join(\",\")" }
        if !kinds.isDisjoint(with: [.array, .object]) {
            return "write the path of one of its members"
        }
        return takenKinds == .number ? "write | number before it" : "write | text before it"
    }

    /// The kinds of what becomes of values.
    fileprivate func givenKinds(of kinds: JSONShape.Kinds) -> JSONShape.Kinds {
        switch self {
        case .upper, .lower, .trim, .truncate, .nonempty, .hex, .replace, .language: .string
        case .text, .json, .date, .join: .string
        case .number, .fixed, .shift, .plus, .minus, .length: .number
        case .map, .parse, .default: .all
        }
    }
}
