/// A pattern's conditions on one object, before they are flattened.
struct PatternObject {
    indirect enum Value {
        case leaf(PatternTable.Leaf)
        case object(PatternObject)
    }

    struct Member {
        var subject: PatternTable.Subject
        var value: Value
    }

    var members: [Member] = []
    /// The `$or` lists: at least one branch of each must be satisfied.
    var alternatives: [[PatternObject]] = []

    /// The number of conditions it contains.
    var count: Int {
        members.reduce(0) { sum, member in
            guard case .object(let object) = member.value else { return sum + 1 }
            return sum + 1 + object.count
        } + alternatives.joined().reduce(0) { $0 + 1 + $1.count }
    }

    /// The conditions of both; those on the same subject are combined in one object.
    func merged(with other: PatternObject) -> PatternObject {
        var merged = self
        for member in other.members {
            if case .object(let theirs) = member.value,
                let index = merged.members.firstIndex(where: { $0.isObject(of: member.subject) }),
                case .object(let ours) = merged.members[index].value
            {
                merged.members[index].value = .object(ours.merged(with: theirs))
            } else {
                merged.members.append(member)
            }
        }
        merged.alternatives += other.alternatives
        return merged
    }

    /// Equivalent conditions, arranged so that all those on one array are together.
    ///
    /// If the branches of a `$or` examine members of a subject that is also examined outside of it,
    /// the conditions next to it are moved into each branch: only then can all of them apply to the
    /// same element. Nil when that yields more than `limit` conditions.
    func normalised(limit: Int) -> PatternObject? {
        guard count <= limit else { return nil }
        var object = self
        if let index = object.alternatives.indices.first(where: { object.isEntangled($0) }) {
            let branches = object.alternatives.remove(at: index)
            let rest = object
            object = PatternObject(alternatives: [branches.map { rest.merged(with: $0) }])
        }
        for index in object.members.indices {
            guard case .object(let inner) = object.members[index].value else { continue }
            guard let normal = inner.normalised(limit: limit) else { return nil }
            object.members[index].value = .object(normal)
        }
        for index in object.alternatives.indices {
            var branches: [PatternObject] = []
            for branch in object.alternatives[index] {
                guard let normal = branch.normalised(limit: limit) else { return nil }
                branches.append(normal)
            }
            object.alternatives[index] = branches
        }
        return object.count <= limit ? object : nil
    }

    /// The subjects whose members are examined, including those in its branches.
    private var subjects: Set<PatternTable.Subject> {
        var found: Set<PatternTable.Subject> = []
        for member in members where member.isObject(of: member.subject) {
            found.insert(member.subject)
        }
        for branch in alternatives.joined() { found.formUnion(branch.subjects) }
        return found
    }

    /// True when a `$or` examines a subject that is also examined outside of it.
    private func isEntangled(_ index: Int) -> Bool {
        var rest = self
        let branches = rest.alternatives.remove(at: index)
        let subjects = rest.subjects
        return branches.contains { !$0.subjects.isDisjoint(with: subjects) }
    }
}

extension PatternObject.Member {
    /// True if it has conditions on members of a subject.
    func isObject(of subject: PatternTable.Subject) -> Bool {
        guard case .object = value else { return false }
        return self.subject == subject
    }
}

extension PatternTable {
    /// Flattens the conditions on an object.
    mutating func add(_ object: PatternObject) -> MappingPlan.Run {
        var found: [Condition] = []
        for member in object.members {
            switch member.value {
            case .leaf(let leaf): found.append(.leaf(member.subject, leaf))
            case .object(let inner): found.append(.object(member.subject, add(inner)))
            }
        }
        for branches in object.alternatives {
            found.append(.anyOf(add(conditions: branches.map { .allOf(add($0)) })))
        }
        return add(conditions: found)
    }

    private mutating func add(conditions found: [Condition]) -> MappingPlan.Run {
        let start = Int32(conditions.count)
        conditions.append(contentsOf: found)
        return .init(start: start, end: start + Int32(found.count))
    }
}
