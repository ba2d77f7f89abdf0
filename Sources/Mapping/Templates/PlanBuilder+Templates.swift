internal import JSON

/// How a template is used.
struct TemplateUse {
    /// True when its string goes between the quotation marks of a JSON string.
    var isJSON = false
    /// Why `?` is not allowed here; nil if it is.
    var refusesOptional: String?
    /// Why the value cannot be JSON of any type; nil if it can: in payloads.
    var refusesParsed: String? = "only a payload can contain it"
    /// False for the fields of canonical events, which are not in the file.
    var hasLocation = true
    /// The kinds of values that a schema must allow, if the template is a single hole.
    var wanted = WantedKinds.text
    /// True for a label: without a value it is null.
    var isLabel = false
}

extension PlanBuilder {
    /// Parses a scalar's string and reports what is wrong with it.
    mutating func parse(_ scalar: ScalarSource) -> Template? {
        do throws(TemplateFault) {
            let template = try Template.parsed(scalar.text)
            // A string without an end position came from a variable, and may be a secret.
            for remark in template.remarks where scalar.end != nil || !remark.quotesText {
                if let path = remark.examplePath, !examplePaths.contains(path) { continue }
                warning(scalar.location(at: remark.offset), remark.message, remark.remedy)
            }
            return template
        } catch {
            self.error(scalar.location(at: error.offset), error.message, error.remedy)
            return nil
        }
    }

    /// Adds a template to the plan and returns its number; -1 if it is invalid.
    mutating func add(_ template: Template, from scalar: ScalarSource, use: TemplateUse) -> Int32 {
        var parts: [MappingPlan.Part] = []
        var alone: Int32 = -1
        for part in template.parts {
            switch part {
            case .text(let text):
                parts.append(
                    .text(
                        constant {
                            use.isJSON ? $0.appendJSONText(text) : $0.append(contentsOf: text.utf8)
                        }))
            case .hole(let hole):
                if hole.isOptional, let why = use.refusesOptional {
                    error(
                        scalar.location(at: hole.offset), "'?' is not allowed here: \(why)",
                        "remove '?': a record without one is dropped and reported")
                }
                check(parsing: hole, of: template, from: scalar, use)
                let isAlone = template.aloneHole != nil
                check(shapeOf: hole, isAlone: isAlone, from: scalar, use)
                let number = add(hole, from: scalar, hasLocation: use.hasLocation)
                parts.append(.hole(number))
                if isAlone { alone = number }
            }
        }
        let start = Int32(plan.parts.count)
        plan.parts.append(contentsOf: parts)
        var compiled = MappingPlan.Template(
            parts: .init(start: start, end: Int32(plan.parts.count)), aloneHole: alone)
        if alone >= 0, plan.holes[Int(alone)].isOptional {
            compiled.optionalPath = plan.holes[Int(alone)].lonePath
        }
        plan.templates.append(compiled)
        return Int32(plan.templates.count - 1)
    }

    /// Checks that `parse` produces the whole value of a place that takes any.
    private mutating func check(
        parsing hole: Template.Hole, of template: Template, from scalar: ScalarSource,
        _ use: TemplateUse
    ) {
        let name = TransformName.parse.rawValue
        guard let index = hole.transforms.firstIndex(where: { $0.name == name }) else { return }
        let location = scalar.location(at: hole.transforms[index].offset)
        if index < hole.transforms.count - 1 {
            error(location, "'parse' must come last", "write ${path | parse}")
        } else if template.aloneHole == nil {
            error(
                location, "'parse' must be alone in its string",
                "write \"${path | parse}\", without other text")
        } else if let why = use.refusesParsed {
            error(
                location, "'parse' is not valid here: \(why)",
                "use it in 'payload', as in payload: \"${path | parse}\"")
        }
    }

    private mutating func add(
        _ hole: Template.Hole, from scalar: ScalarSource, hasLocation: Bool
    ) -> Int32 {
        let operands = add(hole.operands, of: hole, from: scalar)
        var transforms: [MappingPlan.Transform] = []
        for transform in hole.transforms {
            if let known = add(transform, of: hole, from: scalar) { transforms.append(known) }
        }
        let start = Int32(plan.transforms.count)
        plan.transforms.append(contentsOf: transforms)
        var compiled = MappingPlan.Hole(
            operands: operands,
            transforms: .init(start: start, end: Int32(plan.transforms.count)),
            isOptional: hole.isOptional)
        compiled.isParsed = hole.transforms.last?.name == TransformName.parse.rawValue
        if operands.range.count == 1, compiled.transforms.isEmpty,
            case .path(let path) = plan.operands[operands.range.lowerBound]
        {
            compiled.lonePath = path
        }
        plan.holes.append(compiled)
        plan.holeOrigins.append(
            .init(
                written: hole.written,
                location: hasLocation ? scalar.location(at: hole.offset) : nil,
                elementBlock: elementName == nil ? nil : plan.blocks.count))
        return Int32(plan.holes.count - 1)
    }

    mutating func add(
        _ operands: [Template.Operand], of hole: Template.Hole, from scalar: ScalarSource
    ) -> MappingPlan.Run {
        var known: [MappingPlan.Operand] = []
        for operand in operands {
            if let operand = flat(operand, of: hole, from: scalar) { known.append(operand) }
        }
        let start = Int32(plan.operands.count)
        plan.operands.append(contentsOf: known)
        return .init(start: start, end: Int32(plan.operands.count))
    }

    private mutating func flat(
        _ operand: Template.Operand, of hole: Template.Hole, from scalar: ScalarSource
    ) -> MappingPlan.Operand? {
        switch operand {
        case .text(let text): .text(constant(text))
        case .number(let token): .number(constant(token))
        case .boolean(let value): .boolean(value)
        case .path(let path): add(path, of: hole, from: scalar)
        }
    }

    private mutating func add(
        _ path: Template.Path, of hole: Template.Hole, from scalar: ScalarSource
    ) -> MappingPlan.Operand? {
        switch path.root {
        case .event, .value: break
        case .key where path.steps.isEmpty:
            plan.usesKey = true
            return .key
        case .key:
            guard plan.keyFormat != nil else {
                error(
                    scalar.location(at: hole.offset), "'@key' is text: nothing can follow it",
                    "write key_format: json, avro or protobuf in 'source' if keys are")
                return nil
            }
        case .topic:
            plan.usesTopic = true
            return .topic
        case .timestamp: return .timestamp
        case .partition: return .partition
        case .offset: return .offset
        case .header(let name): return .header(header(name))
        case .attribute(let name):
            return attribute(name, at: scalar.location(at: hole.offset)).map { .attribute($0) }
        }
        if path.hasLookUp { return lookUp(path, of: hole, from: scalar) }
        guard let middle = path.steps.firstIndex(of: .everyElement) else {
            return .path(eventPath(path.steps[...], path.root))
        }
        return .everyElement(
            array: eventPath(path.steps[..<middle], path.root),
            rest: self.path(path.steps[(middle + 1)...].map(\.flat)))
    }
}

extension PlanBuilder {
    /// A path with steps that depend on values of the event.
    private mutating func lookUp(
        _ path: Template.Path, of hole: Template.Hole, from scalar: ScalarSource
    ) -> MappingPlan.Operand? {
        var parts = path.steps[...]
        let base = eventPath(parts.cutFixedSteps(), path.root)
        var steps: [MappingPlan.LookUpStep] = []
        while case .lookUp(let inner)? = parts.popFirst() {
            let key = add([.path(inner)], of: hole, from: scalar)
            let rest = self.path(parts.cutFixedSteps().map(\.flat))
            steps.append(MappingPlan.LookUpStep(key: key, rest: rest))
        }
        let start = Int32(plan.lookUpSteps.count)
        plan.lookUpSteps.append(contentsOf: steps)
        plan.lookUps.append(
            MappingPlan.LookUp(
                base: base, steps: .init(start: start, end: Int32(plan.lookUpSteps.count))))
        return .lookUp(Int32(plan.lookUps.count - 1))
    }

    /// A path into the event or the whole value, or into an element of the block's list if it
    /// begins with its name.
    private mutating func eventPath(
        _ steps: ArraySlice<Template.Step>, _ root: Template.Root
    ) -> Int32 {
        if root == .value { return valuePath(steps.map(\.flat)) }
        if root == .key { return keyPath(steps.map(\.flat)) }
        guard case .member(let name)? = steps.first else { return path(steps.map(\.flat)) }
        guard name == elementName else {
            eventMembers.insert(name)
            return path(steps.map(\.flat))
        }
        let rest = steps.dropFirst().map(\.flat)
        return Int32(plan.paths.add(rest, from: Int(plan.elementStart)))
    }
}

extension PlanBuilder {
    /// A path into the record's whole value.
    mutating func valuePath(_ steps: [JSONPathStep]) -> Int32 {
        if plan.valueStart < 0 { plan.valueStart = Int32(plan.paths.addMovingStart()) }
        return Int32(plan.paths.add(steps, from: Int(plan.valueStart)))
    }

    /// A path into the record's key.
    mutating func keyPath(_ steps: [JSONPathStep]) -> Int32 {
        if plan.keyStart < 0 { plan.keyStart = Int32(plan.paths.addMovingStart()) }
        return Int32(plan.paths.add(steps, from: Int(plan.keyStart)))
    }
}

extension Template {
    fileprivate static func parsed(_ text: String) throws(TemplateFault) -> Template {
        try TemplateParser.parse(text)
    }
}

extension ArraySlice<Template.Step> {
    /// Removes the steps before the next look-up.
    fileprivate mutating func cutFixedSteps() -> ArraySlice<Template.Step> {
        let end = firstIndex { if case .lookUp = $0 { true } else { false } } ?? endIndex
        defer { self = self[end...] }
        return self[..<end]
    }
}

extension Template.Step {
    /// The step as JSON knows it; `[*]` and look-ups have been removed before.
    fileprivate var flat: JSONPathStep {
        switch self {
        case .member(let name): .member(name)
        case .element(let index): .element(index)
        case .everyElement, .lookUp: .element(0)
        }
    }
}
