internal import JSON

extension PlanBuilder {
    /// Compiles `source.event`: where in a record's value the event stands.
    mutating func compile(event source: MappingSource) {
        let remedy = "write event: ${payload}"
        guard plan.format == .json else {
            return error(
                source.location, "'event' is only valid with format json",
                "remove it: paths start in the data of a CloudEvent")
        }
        guard let scalar = ScalarSource(source) else {
            return error(source.location, "'event' must be a path in the record's value", remedy)
        }
        guard let template = parse(scalar) else { return }
        guard let hole = template.aloneHole, let steps = hole.stepsOfEvent else {
            return error(
                scalar.location, "'event' must be a path in the record's value",
                remedy + ", without other text, '[*]', '?' or transforms")
        }
        let use = TemplateUse(wanted: .event)
        check(shapeOf: hole, isAlone: true, from: scalar, use)
        setEvent(of: hole)
        setEvent(steps, written: hole.written, at: scalar.location(at: hole.offset))
    }

    /// Sets the paths that lead to the event.
    mutating func setEvent(
        _ steps: [[JSONPathStep]], written: String, at location: MappingLocation
    ) {
        plan.format = .jsonInside
        plan.event = EventLocation(
            paths: steps.map { path($0) }, steps: steps, written: written, location: location)
    }
}

extension Template.Hole {
    /// The paths of a hole that are the location of the event; nil if it is anything else.
    fileprivate var stepsOfEvent: [[JSONPathStep]]? {
        guard !isOptional, transforms.isEmpty else { return nil }
        var paths: [[JSONPathStep]] = []
        for operand in operands {
            guard case .path(let path) = operand, let steps = path.fixedSteps else { return nil }
            paths.append(steps)
        }
        return paths
    }
}

extension Template.Path {
    /// The steps of a path into the event, or into the whole value, to a single place; nil for any
    /// other.
    var fixedSteps: [JSONPathStep]? {
        guard root == .event || root == .value else { return nil }
        var fixed: [JSONPathStep] = []
        for step in steps {
            switch step {
            case .member(let name): fixed.append(.member(name))
            case .element(let index): fixed.append(.element(index))
            case .everyElement, .lookUp: return nil
            }
        }
        return fixed
    }
}
