internal import JSON

/// Which types of events can meet a condition, where there are schemas of several.
extension PlanBuilder {
    /// Keeps only the types of events that can meet a condition: what the condition guards is
    /// checked with those.
    mutating func narrowShape(by condition: MappingSource) {
        guard let before = shape, case .map(let members, let location) = condition else { return }
        let types = before.shape.alternatives(of: before.event)
        guard types.count > 1, canMeet(members, before.event) else { return }
        let possible = types.filter { canMeet(members, [$0]) }
        guard !possible.isEmpty else {
            return error(
                location, "no events can match all of this: its members are in different schemas",
                "write a block for each kind of event, or $or")
        }
        guard possible.count < types.count else { return }
        if shapeOfAllEvents == nil { shapeOfAllEvents = before }
        shape?.event = possible
        shape?.isNarrowed = true
    }

    /// Ends what the condition of a block has narrowed; that of the connector holds for all blocks.
    mutating func restoreShape() {
        guard let before = shapeOfAllEvents else { return }
        shape = before
        shapeOfAllEvents = nil
    }

    /// False if events of these nodes never meet conditions.
    private func canMeet(_ members: [MappingMember], _ nodes: [Int]) -> Bool {
        var trial = self
        trial.problems = []
        trial.shape?.event = nodes
        trial.check(pattern: members, of: .event(isRoot: true))
        return !trial.problems.contains { !$0.isWarning }
    }
}
