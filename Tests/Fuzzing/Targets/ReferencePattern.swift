/// Event patterns read slowly and simply: all branches of `$or` are written out.
struct ReferencePattern {
    private struct Member {
        var name: String
        var list: [Tree]?
        var inner: [Member] = []
    }

    /// More than this many branches are not worth the time.
    private static let limit = 200
    private var branches: [[Member]]

    /// Nil for what it does not support: metadata, addresses, and numbers with so many digits that
    /// writing them out would fill memory.
    init?(_ pattern: Tree, _ text: [UInt8]) {
        guard Self.isPlain(text), let branches = Self.branches(pattern) else { return nil }
        self.branches = branches
    }

    private static func isPlain(_ text: [UInt8]) -> Bool {
        let message = String(decoding: text, as: UTF8.self)
        if message.contains("cidr") || message.contains("${") { return false }
        var hasExponent = false
        var digits = 0
        for byte in text {
            digits = byte &- UInt8(ascii: "0") < 10 ? digits + 1 : 0
            if byte | 0x20 == UInt8(ascii: "e") { hasExponent = true }
            if hasExponent, digits > 3 { return false }
        }
        return true
    }

    func matches(_ event: Tree) -> Bool { branches.contains { Self.holds($0, event) } }

    private static func branches(_ object: Tree) -> [[Member]]? {
        guard case .object(let members) = object else { return nil }
        var all: [[Member]] = [[]]
        var names: Set<String> = []
        for member in members {
            let (name, value) = (member.name, member.value)
            // Connector files have each name once; the target keeps the first.
            guard names.insert(name).inserted else { continue }
            // Names with a special meaning are not supported, except one.
            guard name == "$or" || !name.hasPrefix("@") && !name.hasPrefix("[\"") else {
                return nil
            }
            var choices: [[Member]] = []
            if name == "$or", case .array(let elements) = value {
                for element in elements {
                    guard let more = branches(element) else { return nil }
                    choices += more
                }
            } else if case .array(let list) = value {
                choices = [[Member(name: name, list: list)]]
            } else {
                guard let inner = branches(value) else { return nil }
                choices = inner.map { [Member(name: name, inner: $0)] }
            }
            all = all.flatMap { branch in choices.map { merge(branch, $0) } }
            guard all.count <= limit else { return nil }
        }
        return all
    }

    private static func merge(_ left: [Member], _ right: [Member]) -> [Member] {
        var merged = left
        for member in right {
            let index = merged.firstIndex {
                $0.name.utf8.elementsEqual(member.name.utf8) && $0.list == nil
            }
            if member.list == nil, let index {
                merged[index].inner = merge(merged[index].inner, member.inner)
            } else {
                merged.append(member)
            }
        }
        return merged
    }

    private static func holds(_ members: [Member], _ value: Tree?) -> Bool {
        if case .array(let elements)? = value {
            return elements.isEmpty
                ? holds(members, nil) : elements.contains { holds(members, $0) }
        }
        return members.allSatisfy { member in
            let found = value?.member(member.name)
            guard let list = member.list else { return holds(member.inner, found) }
            let leaves = found?.leaves ?? []
            return list.contains { matcher in
                if case .boolean(false)? = matcher.member("exists") { return leaves.isEmpty }
                return leaves.contains { ReferenceMatcher.takes(matcher, $0) }
            }
        }
    }
}
