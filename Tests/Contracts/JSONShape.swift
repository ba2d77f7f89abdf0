internal import Foundation

/// Compares JSON that a release has published with that of this program, which may have more
/// members.
package enum JSONShape {
    /// What is missing or has become another type; with `comparesValues` also what has another
    /// value, but for members named `detail`, which are words.
    package static func differences(
        of old: String?, from new: String?, comparesValues: Bool
    ) -> [String] {
        guard let old, let new else { return ["the value is \(new ?? "null")"] }
        guard let published = parse(old), let found = parse(new) else {
            return ["the value is \(new), not \(old)"]
        }
        return differences(of: published, from: found, at: "", comparesValues)
    }

    /// The members that JSON has and none of the released ones does, such as `workers[].lag`.
    package static func unlisted(in new: String, from released: [String]) -> [String] {
        let known = released.reduce(into: Set<String>()) { $0.formUnion(paths(in: $1)) }
        return paths(in: new).subtracting(known).sorted()
    }

    private static func paths(in text: String) -> Set<String> {
        var found: Set<String> = []
        func visit(_ value: Value, at path: String) {
            switch value {
            case .object(let members):
                for (name, value) in members {
                    let path = path.isEmpty ? name : "\(path).\(name)"
                    found.insert(path)
                    visit(value, at: path)
                }
            case .array(let elements):
                for element in elements { visit(element, at: path + "[]") }
            default: break
            }
        }
        if let value = parse(text) { visit(value, at: "") }
        return found
    }

    private static func parse(_ text: String) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    private static func differences(
        of old: Value, from new: Value, at path: String, _ comparesValues: Bool
    ) -> [String] {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            return old.sorted { $0.key < $1.key }.flatMap { name, value in
                let path = path.isEmpty ? name : "\(path).\(name)"
                guard let found = new[name] else { return ["\(path) is gone"] }
                return differences(
                    of: value, from: found, at: path, comparesValues && name != "detail")
            }
        case (.array(let old), .array(let new)):
            if !comparesValues, case .object? = old.first {
                return differences(ofRows: old, from: new, at: path)
            }
            if comparesValues ? new.count != old.count : new.count < old.count {
                return ["\(path) has \(new.count) elements, not \(old.count)"]
            }
            return zip(old, new).flatMap {
                differences(of: $0, from: $1, at: path + "[]", comparesValues)
            }
        default:
            // Without values, null says only that there was none at that moment.
            let isSame = comparesValues ? old == new : old == .null || old.kind == new.kind
            return isSame ? [] : ["\(path) is \(new), not \(old)"]
        }
    }

    /// Of a list of objects, each must have one that looks like it, wherever: there may be more,
    /// and in another order.
    private static func differences(
        ofRows old: [Value], from new: [Value], at path: String
    ) -> [String] {
        old.enumerated().flatMap { index, row in
            let all = new.map { differences(of: row, from: $0, at: path + "[]", false) }
            if all.contains([]) { return [] as [String] }
            return index < all.count ? all[index] : ["\(path) has no element like \(row)"]
        }
    }

    /// A value of JSON.
    private enum Value: Decodable, Equatable {
        case null
        case boolean(Bool)
        case number(Double)
        case text(String)
        case array([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .boolean(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let elements = try? container.decode([Value].self) {
                self = .array(elements)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        /// The name of its case.
        var kind: Substring { "\(self)".prefix { $0 != "(" } }
    }
}
