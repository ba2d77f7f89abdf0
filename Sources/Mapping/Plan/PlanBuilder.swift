internal import JSON

/// Collects the compiler's results: the growing plan, and every problem.
struct PlanBuilder {
    var plan: MappingPlan
    /// The block being compiled.
    var block = BlockPlan()
    var problems: [MappingProblem] = []
    /// What the block being compiled calls an element of its `for_each`, if it has one.
    var elementName: String?
    /// The names of elements, with their positions.
    var elementNames: [(name: String, location: MappingLocation)] = []
    /// What each block evaluates although it stands outside of it.
    var outside = OutsideTemplates()
    /// True when the file says which bundle identifiers events may name.
    var saysWhichBundleIDs = false
    /// True while the connector's own `when` is compiled, except for the branches of its `$or`.
    var isConnectorCondition = false
    /// True when a pattern has conditions on the record's whole value.
    var examinesValue = false
    /// The paths of the example event, as templates write them; empty without one.
    var examplePaths: Set<String> = []
    /// What the schemas of events allow; nil without one.
    var shape: EventShape?
    /// What the schemas of keys allow; nil without one.
    var keyShape: EventShape?
    /// The shape before the block being compiled, whose condition may be met by fewer events.
    var shapeOfAllEvents: EventShape?
    /// The event's own members that templates refer to.
    var eventMembers: Set<String> = []

    /// After so many problems the rest is not compiled.
    static let problemLimit = 200

    /// True when there are more problems than anyone reads.
    var isFull: Bool { problems.count >= Self.problemLimit }

    mutating func error(_ location: MappingLocation, _ message: String, _ remedy: String? = nil) {
        problems.append(MappingProblem(location: location, message: message, remedy: remedy))
    }

    mutating func warning(_ location: MappingLocation, _ message: String, _ remedy: String? = nil) {
        // Errors are never crowded out.
        guard !isFull else { return }
        problems.append(
            MappingProblem(location: location, message: message, remedy: remedy, isWarning: true))
    }

    /// Adds the compiled block to the plan.
    mutating func endBlock() {
        block.payloadPath = wholePayload
        compileOutside()
        plan.blocks.append(block)
        block = BlockPlan()
        elementName = nil
        shape?.element = nil
        restoreShape()
    }

    /// The path of the event's object that the block's payload is, if that is all of it; else -1.
    private var wholePayload: Int32 {
        guard block.payload.range.count == 1,
            case .value(let template, _) = plan.steps[Int(block.payload.start)], template >= 0,
            case let hole = plan.templates[Int(template)].aloneHole, hole >= 0
        else { return -1 }
        return plan.holes[Int(hole)].lonePath
    }

    /// Adds the steps of a payload.
    mutating func add(_ steps: [PayloadStep]) -> MappingPlan.Run {
        let start = Int32(plan.steps.count)
        plan.steps.append(contentsOf: steps)
        return .init(start: start, end: Int32(plan.steps.count))
    }

    /// Adds the keys that are written next to a `...`.
    mutating func add(spreadNames: [String]) -> MappingPlan.Run {
        let start = Int32(plan.spreadNames.count)
        plan.spreadNames += spreadNames.map { Array($0.utf8) }
        return .init(start: start, end: Int32(plan.spreadNames.count))
    }

    /// Adds the templates of a literal list of device tokens.
    mutating func add(tokenTemplates: [Int32]) -> MappingPlan.Run {
        let start = Int32(plan.tokenTemplates.count)
        plan.tokenTemplates.append(contentsOf: tokenTemplates)
        return .init(start: start, end: Int32(plan.tokenTemplates.count))
    }

    mutating func constant(_ text: String) -> MappingPlan.Piece {
        constant { $0.append(contentsOf: text.utf8) }
    }

    /// Adds the bytes that `body` appends.
    mutating func constant(_ body: (inout [UInt8]) -> Void) -> MappingPlan.Piece {
        let start = Int32(plan.constants.count)
        body(&plan.constants)
        return MappingPlan.Piece(start: start, end: Int32(plan.constants.count))
    }

    mutating func path(_ steps: [JSONPathStep]) -> Int32 {
        Int32(plan.paths.add(steps))
    }

    mutating func header(_ name: String, inAnyCase: Bool = false) -> Int32 {
        let header = HeaderSought(name: Array(name.utf8), isInAnyCase: inAnyCase)
        if let known = plan.headers.firstIndex(of: header) { return Int32(known) }
        plan.headers.append(header)
        return Int32(plan.headers.count - 1)
    }

    /// A CloudEvents attribute; nil, with an error at `location`, if it cannot exist.
    mutating func attribute(_ name: String, at location: MappingLocation) -> Int32? {
        guard plan.format == .cloudEvents else {
            error(
                location, "'@ce' is only valid with CloudEvents",
                "write format: cloudevents in 'source', or @headers.ce_\(name)")
            return nil
        }
        guard !["data", "data_base64"].contains(name) else {
            error(
                location, "'@ce.\(name)' is not an attribute",
                "paths start in the data: write ${name}"
            )
            return nil
        }
        guard EventAttribute.isName(name) else {
            error(
                location, "'\(name)' cannot be the name of a CloudEvents attribute",
                "use lower-case letters and digits only")
            return nil
        }
        return attribute(name)
    }

    private mutating func attribute(_ name: String) -> Int32 {
        let isContentType = name == "datacontenttype"
        let attribute = EventAttribute(
            name: name, path: path([.member(name)]),
            header: header(isContentType ? "content-type" : "ce_\(name)", inAnyCase: true),
            httpHeader: isContentType ? -1 : header("ce-\(name)", inAnyCase: true))
        if let known = plan.attributes.firstIndex(of: attribute) { return Int32(known) }
        plan.attributes.append(attribute)
        return Int32(plan.attributes.count - 1)
    }

    /// Prepares a plan for CloudEvents: adds the attributes that every event must have.
    mutating func prepareCloudEvents() {
        plan.contentType = header("content-type", inAnyCase: true)
        for name in EventAttribute.required { _ = attribute(name) }
        plan.data = path([.member("data")])
        plan.encodedData = path([.member("data_base64")])
    }
}
