internal import Delivery
internal import JSON

/// What a record may cost.
extension Mapper {
    /// The most bytes that may be transformed for one record: those that transforms read and write,
    /// and those that fields and payloads are composed of.
    public static let workLimit = 16 << 20
}

/// The values of holes that are the same for each element of `for_each`, for one record.
struct SharedValues {
    private enum Slot {
        case unknown
        case value(Value)
        case fault(MappingFault)
    }

    private var slots: [Slot]
    private var used: [Int] = []
    /// Where the strings end that these values consist of, in the evaluator's `scratch`.
    private(set) var end = 0

    init(count: Int) { slots = Array(repeating: .unknown, count: count) }

    mutating func forget() {
        guard !used.isEmpty else { return }
        for index in used { slots[index] = .unknown }
        used.removeAll(keepingCapacity: true)
        end = 0
    }

    /// The value of a hole; nil when it was not evaluated for this record.
    func value(of hole: Int) throws(MappingFault) -> Value? {
        switch slots[hole] {
        case .unknown: return nil
        case .value(let value): return value
        case .fault(let fault): throw fault
        }
    }

    mutating func set(_ value: Result<Value, MappingFault>, of hole: Int, until end: Int) {
        slots[hole] =
            switch value {
            case .success(let value): .value(value)
            case .failure(let fault): .fault(fault)
            }
        used.append(hole)
        self.end = end
    }
}

extension Evaluator {
    /// True when mapping the record is not worth what it costs.
    var isTooExpensive: Bool { workLeft < 0 }

    /// Notes that bytes were read or written.
    mutating func spend(_ bytes: Int) { workLeft -= bytes }

    /// Notes that the children of a node were visited: each costs about as much as a byte.
    mutating func spend(nodesIn node: Int) { workLeft -= (Int(tape[node].next) - node) / 2 }

    /// The fault of a record whose transforms have used up what it may cost.
    mutating func tooExpensive(_ hole: Int32) -> MappingFault {
        workLeft = -1
        if expensiveHole < 0 { expensiveHole = hole }
        return MappingFault(cause: .invalid(.tooExpensive), hole: hole)
    }

    /// The value of a hole that does not use the element: evaluated once for a record.
    mutating func sharedValue(
        of compiled: MappingPlan.Hole, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        if let known = try shared.value(of: Int(hole)) { return known }
        do throws(MappingFault) {
            let value = try evaluate(compiled, hole, in: bytes)
            shared.set(.success(value), of: Int(hole), until: scratch.count)
            return value
        } catch {
            shared.set(.failure(error), of: Int(hole), until: scratch.count)
            throw error
        }
    }
}

extension PlanBuilder {
    /// Finds out which holes, and which payloads, are the same for each element of a `for_each`.
    mutating func findShared() {
        guard plan.elementStart >= 0 else { return }
        for hole in plan.holes.indices where plan.holes[hole].lonePath < 0 {
            plan.holes[hole].isShared = !usesElement(plan.holes[hole])
        }
        for index in plan.blocks.indices where plan.blocks[index].elements != nil {
            plan.blocks[index].isPayloadShared = isPayloadShared(plan.blocks[index])
        }
    }

    private func isPayloadShared(_ block: BlockPlan) -> Bool {
        guard block.fields.fixedPushType != nil, !usesElement(template: block.fields.priority)
        else { return false }
        return plan.steps[block.payload.range].allSatisfy { step in
            switch step {
            case .raw, .comma: true
            case .text(let hole): !usesElement(plan.holes[Int(hole)])
            case .value(let template, _), .optional(_, _, let template, _),
                .spread(let template, _, _), .activityEvent(let template),
                .moment(_, _, let template):
                !usesElement(template: template)
            case .timestamp(let template):
                !usesElement(template: template) && !usesElement(template: block.fields.eventTime)
            case .onlyFor: true
            }
        }
    }

    private func usesElement(template: Int32) -> Bool {
        guard template >= 0 else { return false }
        return plan.parts[plan.templates[Int(template)].parts.range].contains { part in
            guard case .hole(let hole) = part else { return false }
            return usesElement(plan.holes[Int(hole)])
        }
    }

    private func usesElement(_ hole: MappingPlan.Hole) -> Bool {
        usesElement(hole.operands)
            || plan.transforms[hole.transforms.range].contains { transform in
                switch transform {
                case .date(_, let zone): usesElement(zone)
                case .standIn(let operands): usesElement(operands)
                case .map(let choices):
                    plan.choices[choices.range].contains { usesElement($0.value) }
                default: false
                }
            }
    }

    private func usesElement(_ operands: MappingPlan.Run) -> Bool {
        plan.operands[operands.range].contains { operand in
            switch operand {
            case .path(let path), .everyElement(let path, _): plan.isOfElement(path)
            case .lookUp(let number):
                plan.isOfElement(plan.lookUps[Int(number)].base)
                    || plan.lookUpSteps[plan.lookUps[Int(number)].steps.range].contains {
                        usesElement($0.key)
                    }
            default: false
            }
        }
    }
}
