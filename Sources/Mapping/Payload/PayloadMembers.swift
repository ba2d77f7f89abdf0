internal import JSON

/// The members of a payload that are known to Apple, by the paths that lead to them.
///
/// Flat, so that nothing is retained to look one up.
struct PayloadMembers {
    struct Member: BitwiseCopyable {
        var target: PayloadTarget
        /// True when members inside it are known, too.
        var isWalked: Bool
        /// A bit of its own among the members of the same object.
        var bit: UInt64
    }

    private(set) var paths = JSONPathTable()
    /// By the number of their paths; the first is the payload itself.
    private(set) var members = [Member(target: .object, isWalked: true, bit: 0)]

    /// The members of Live Activities differ from those of other pushes.
    init(ofActivity isActivity: Bool) {
        add("aps", .object, .aps, bit: 1, to: 0, isActivity)
    }

    private mutating func add(
        _ name: String, _ target: PayloadTarget, _ context: PayloadContext, bit: UInt64,
        to parent: Int, _ isActivity: Bool
    ) {
        let path = paths.add([.member(name)], from: parent)
        members.append(Member(target: target, isWalked: context != .free, bit: bit))
        for (index, member) in (context.members ?? []).enumerated() {
            var below = context.context(below: member.name)
            var target = member.target
            if isActivity, below == .alert { below = .activityAlert }
            if isActivity, member.name == "relevance-score" { target = .number }
            add(member.name, target, below, bit: 1 << UInt64(index), to: path, isActivity)
        }
    }

    /// The names that lead to a member, with dots between them.
    func message(of path: Int) -> String {
        let names = paths.steps(of: path).map { step in
            if case .member(let name) = step { name } else { "" }
        }
        return names.joined(separator: ".")
    }
}
