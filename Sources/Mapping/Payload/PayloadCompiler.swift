internal import Delivery
internal import JSON
internal import Spelling

/// Compiles the payload into steps: constant bytes are combined, the rest become steps.
struct PayloadCompiler {
    var builder: PlanBuilder
    let allowsUnknown: Bool
    private var bytes: [UInt8] = []
    private var steps: [PayloadStep] = []
    /// True inside of `aps`.
    var isInAps = false

    init(_ builder: PlanBuilder, allowsUnknown: Bool) {
        self.builder = builder
        self.allowsUnknown = allowsUnknown
    }

    /// Compiles the complete payload and returns the builder with it.
    mutating func compile(_ payload: MappingSource) -> PlanBuilder {
        switch payload {
        case .map(let members, _): object(members, .top)
        case .list(_, let location):
            builder.error(location, "'payload' must be an object", "write payload: {aps: …}")
        case .scalar: value(payload, .object, .top)
        }
        return finish()
    }

    /// Adds the steps to the block.
    mutating func finish() -> PlanBuilder {
        endBytes()
        builder.block.payload = builder.add(steps)
        return builder
    }

    mutating func append(text: String) { bytes.append(contentsOf: text.utf8) }

    /// How many steps there are.
    var stepCount: Int32 {
        mutating get {
            endBytes()
            return Int32(steps.count)
        }
    }

    /// Adds a step after the bytes before it, and returns its index.
    @discardableResult
    mutating func addStep(_ step: PayloadStep) -> Int {
        endBytes()
        steps.append(step)
        return steps.count - 1
    }

    mutating func setStep(_ index: Int, _ step: PayloadStep) { steps[index] = step }

    private mutating func endBytes() {
        guard !bytes.isEmpty else { return }
        let gathered = bytes
        steps.append(.raw(builder.constant { $0.append(contentsOf: gathered) }))
        bytes.removeAll()
    }

    private mutating func object(_ members: [MappingMember], _ context: PayloadContext) {
        bytes.append(UInt8(ascii: "{"))
        var comma = CommaRule.never
        for member in members where !builder.isFull {
            if member.key == Self.spreadKey {
                spread(member, among: members, isTop: context == .top, &comma)
                continue
            }
            if member.key.contains("${") {
                builder.error(
                    member.keyLocation, "a key cannot be a template",
                    "write the key literally")
            }
            if case .top = context { remark(onKeyBesideAps: member, among: members) }
            let target = target(of: member, in: context)
            if target == .any, context.members != nil { refuseNull(in: member) }
            var name = Array("\"".utf8)
            name.appendJSONText(member.key)
            name.append(contentsOf: "\":".utf8)
            let isAps = context == .top && member.key == "aps"
            if isAps { isInAps = true }
            item(member.value, name: name, target, self.context(below: member.key, context), &comma)
            if isAps { isInAps = false }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The key whose value's members are added to the object it is in.
    static let spreadKey = "..."

    /// The members of an object of the event, but those that are written next to it.
    private mutating func spread(
        _ member: MappingMember, among all: [MappingMember], isTop: Bool, _ comma: inout CommaRule
    ) {
        guard !isInAps else {
            return builder.error(
                member.keyLocation, "'...' is not valid in 'aps'",
                "write Apple's keys one by one; next to 'aps' it adds your own")
        }
        let example = "write \"...\": \"${path.to.object}\""
        guard let scalar = ScalarSource(member.value) else {
            return builder.error(
                member.value.location, "'...' must be the path of an object", example)
        }
        guard let template = builder.parse(scalar) else { return }
        guard template.aloneHole != nil else {
            return builder.error(scalar.location, "'...' must be the path of an object", example)
        }
        let use = TemplateUse(isJSON: true, refusesParsed: nil, wanted: .members)
        let number = builder.add(template, from: scalar, use: use)
        let names = builder.add(
            spreadNames: all.map(\.key).filter { $0 != Self.spreadKey })
        endBytes()
        steps.append(.spread(template: number, besides: names, isTop: isTop))
        if case .never = comma { comma = .unlessFirst }
    }

    /// Apple defines null for none of the keys that may be anything.
    private mutating func refuseNull(in member: MappingMember) {
        guard let scalar = ScalarSource(member.value), scalar.style == .plain,
            PlainScalar.read(scalar.text) == .null
        else { return }
        builder.error(
            scalar.location, "'\(member.key)' in 'aps' cannot be null",
            "remove it, or write a value")
    }

    /// Devices read Apple's keys only inside `aps`; a key that is there as well is meant for the
    /// app.
    private mutating func remark(onKeyBesideAps member: MappingMember, among all: [MappingMember]) {
        guard PayloadContext.isOfAps(member.key, ofActivity: mayBeActivity),
            case .map(let inside, _)? = all.first(where: { $0.key == "aps" })?.value,
            !inside.contains(where: { $0.key == member.key })
        else { return }
        builder.warning(
            member.keyLocation,
            "'\(member.key)' has no effect next to 'aps': devices read it inside",
            "move it into 'aps', or rename it if it is data of your own")
    }

    private func context(below name: String, _ context: PayloadContext) -> PayloadContext {
        let below = context.context(below: name)
        return below == .alert && mayBeActivity ? .activityAlert : below
    }

    /// True for a Live Activity, and if only the event determines the push type.
    private var mayBeActivity: Bool {
        builder.block.fields.fixedPushType.map { $0 == .liveactivity } ?? true
    }

    private mutating func array(
        _ elements: [MappingSource], _ elementTarget: PayloadTarget, keepsAll: Bool
    ) {
        bytes.append(UInt8(ascii: "["))
        var comma = CommaRule.never
        for element in elements where !builder.isFull {
            if keepsAll, let hole = optionalHole(element) {
                builder.error(
                    hole, "'?' is not allowed here: the following arguments would shift",
                    "write ?? and a default")
            }
            item(element, name: [], elementTarget, .free, &comma)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// A member or an element, preceded by a comma.
    mutating func item(
        _ source: MappingSource, name: [UInt8], _ target: PayloadTarget, _ context: PayloadContext,
        _ comma: inout CommaRule
    ) {
        if let hole = optionalHole(source) {
            if target == .array {
                builder.error(
                    hole, "'?' is not allowed here: a localized string would lose its arguments",
                    "write the arguments as a list, each with ?? and a default")
            }
            endBytes()
            noteWhole(context)
            let template = template(source, target)
            let name = builder.constant { $0.append(contentsOf: name) }
            steps.append(.optional(name: name, comma: comma, template: template, target))
            if case .never = comma { comma = .unlessFirst }
            return
        }
        switch comma {
        case .never: break
        case .always: bytes.append(UInt8(ascii: ","))
        case .unlessFirst:
            endBytes()
            steps.append(.comma)
        }
        comma = .always
        bytes.append(contentsOf: name)
        value(source, target, context)
    }

    mutating func value(
        _ source: MappingSource, _ target: PayloadTarget, _ context: PayloadContext
    ) {
        switch source {
        case .map(let members, let location):
            guard target == .any || target == .object || target == .textOrObject else {
                return builder.error(
                    location, "expected \(target.message), not a map", target.remedy)
            }
            object(members, context)
        case .list(let elements, let location):
            guard target == .any || target == .array else {
                return builder.error(
                    location, "expected \(target.message), not a list", target.remedy)
            }
            array(elements, target == .array ? .text : .any, keepsAll: target == .array)
        case .scalar:
            guard let scalar = ScalarSource(source) else { return }
            guard let parsed = try? TemplateParser.parse(scalar.text),
                let text = parsed.constantText
            else {
                noteWhole(context)
                return append(template(source, target), target)
            }
            _ = builder.parse(scalar)
            literal(text, scalar, target)
        }
    }

    /// Adds a template that must have a value.
    ///
    /// Of a string with several parts, each becomes a step of its own, unless the whole string has
    /// to be checked: its constants are then written together with what surrounds it.
    private mutating func append(_ template: Int32, _ target: PayloadTarget) {
        guard template >= 0, !target.isRestricted,
            case let compiled = builder.plan.templates[Int(template)], compiled.aloneHole < 0
        else {
            endBytes()
            return steps.append(.value(template: template, target))
        }
        bytes.append(UInt8(ascii: "\""))
        for part in builder.plan.parts[compiled.parts.range] {
            switch part {
            case .text(let piece):
                bytes.append(builder.plan.constants, from: Int(piece.start), to: Int(piece.end))
            case .hole(let hole):
                endBytes()
                steps.append(.text(hole: hole))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// An object taken from the event as a whole is validated at run time.
    private mutating func noteWhole(_ context: PayloadContext) {
        if context != .free { builder.block.checksMembers = true }
    }

    /// Adds a template to the plan.
    mutating func template(_ source: MappingSource, _ target: PayloadTarget) -> Int32 {
        guard let scalar = ScalarSource(source), let template = builder.parse(scalar) else {
            return -1
        }
        if template.aloneHole == nil, !target.takesText {
            builder.error(
                scalar.location, "expected \(target.message), not a string with templates",
                "write a single template, as in \"${path}\"")
        }
        var use = TemplateUse(isJSON: true, wanted: WantedKinds(target))
        switch target {
        case .any, .object, .textOrObject: use.refusesParsed = nil
        default: use.refusesParsed = "this must be \(target.message)"
        }
        return builder.add(template, from: scalar, use: use)
    }

    /// Writes a scalar without holes.
    private mutating func literal(_ text: String, _ scalar: ScalarSource, _ target: PayloadTarget) {
        let read = scalar.style == .plain ? PlainScalar.read(text) : .text(text)
        switch (target, read) {
        case (.textOrNull, .null) where !text.isEmpty: bytes.append(contentsOf: "null".utf8)
        case (let target, .null) where target != .any && !text.isEmpty:
            builder.error(
                scalar.location, "expected \(target.message), not null",
                "remove the key, or quote it for the string: \"\(text)\"")
        case (.any, .null): bytes.append(contentsOf: "null".utf8)
        case (.any, .boolean(let value)): bytes.append(contentsOf: "\(value)".utf8)
        case (.any, .number(let token)): bytes.append(contentsOf: token.utf8)
        case (.any, .ambiguous(let remedy)):
            builder.error(
                scalar.location, "'\(text)' is ambiguous: YAML parsers read it differently", remedy)
        case (_, .null) where text.isEmpty:
            builder.error(scalar.location, "missing value", "write \"\" for an empty string")
        default:
            var token = Array(text.utf8)
            if case .number = read { target.respell(written: &token) }
            if target.takesText {
                if target == .any || target.fault(text: token) == nil { return string(text) }
            } else if case .number = read, target.fault(number: token) == nil {
                return bytes.append(contentsOf: token)
            } else if case .boolean(true) = read, target == .yes {
                return bytes.append(contentsOf: token)
            }
            builder.error(
                scalar.location, "expected \(target.message), not '\(text)'", target.remedy)
        }
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.appendJSONText(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// The position of the first `?` in a scalar.
    func optionalHole(_ source: MappingSource) -> MappingLocation? {
        guard let scalar = ScalarSource(source),
            let template = try? TemplateParser.parse(scalar.text),
            let hole = template.holes.first(where: \.isOptional)
        else { return nil }
        return scalar.location(at: hole.offset)
    }

    private mutating func target(
        of member: MappingMember, in context: PayloadContext
    ) -> PayloadTarget {
        if case .top = context, member.key == "aps" { return .object }
        guard let known = context.members else { return .any }
        if member.key == "relevance-score", mayBeActivity { return .number }
        if let found = known.first(where: { $0.name == member.key }) { return found.target }
        if !allowsUnknown {
            let near = Suggestion.nearest(to: member.key, among: known.map(\.name))
            builder.error(
                member.keyLocation, "unknown key '\(member.key)': Apple does not define it here",
                near.map { "did you mean '\($0)'?" } ?? "put your own data next to 'aps'")
        }
        return .any
    }
}

extension PlanBuilder {
    /// Compiles the payload and checks it against the rules of the push type, if known.
    mutating func compile(payload: MappingSource, allowsUnknown: Bool) {
        var compiler = PayloadCompiler(self, allowsUnknown: allowsUnknown)
        let before = problems.count
        self = compiler.compile(payload)
        // Anything but an object breaks every rule; one error is enough.
        if problems.count > before, ScalarSource(payload) != nil { return }
        guard let type = block.fields.fixedPushType else { return }
        block.checksPayload = false
        // What only a start needs is of no use to a broadcast.
        if startsActivity(payload), block.isBroadcast { return }
        let hasPriority = block.fields.priority >= 0
        for rule in PayloadRule.rules(for: type) {
            switch rule.verdict(
                on: payload, hasPriority: hasPriority, isWallet: mayBeWallet)
            {
            case .kept: break
            case .open:
                block.checksPayload = true
                block.checksOnlyDisplay = type == .alert && rule.kind == .displays
            case .broken:
                let remedy = rule.remedy(ofBroadcast: block.isBroadcast)
                error(payload.location, rule.message, remedy)
            }
        }
    }
}

extension PlanBuilder {
    /// True if the push may be about a pass or an order in Wallet: the connector, or one of its
    /// apps, is for such, or the notification may name one.
    private var mayBeWallet: Bool {
        if BundleIdentifier.isOfWallet(plan.defaultBundleID)
            || plan.apps.apps.contains(where: { BundleIdentifier.isOfWallet($0.bundleID) })
        {
            return true
        }
        guard block.fields.bundleID >= 0 else { return false }
        return block.fields.isBundleIDOfEvent
            ? plan.allowedBundleIDs.mayBeOfWallet : block.isOfWallet
    }
}
