/// The JSON values that a schema allows: a graph of nodes, which may refer to each other.
public struct JSONShape: Sendable {
    /// What a value is.
    public enum Node: Equatable, Sendable {
        /// Null, a boolean, a number, or any string.
        case null, boolean, number, string
        /// One of a few strings.
        case word([String])
        /// An array whose elements are of a node.
        case array(Int)
        /// An object with any names, whose values are of a node.
        case map(Int)
        /// An object with these names.
        case object([Member])
        /// A value of any of these nodes.
        case anyOf([Int])
        /// Any value at all.
        case anything
    }

    /// A member of an object.
    public struct Member: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// The node of its value.
        public var node: Int

        /// Creates a member.
        public init(name: String, node: Int) {
            self.name = name
            self.node = node
        }
    }

    /// Kinds of JSON values.
    public struct Kinds: OptionSet, Sendable {
        /// One bit for each kind.
        public let rawValue: UInt8

        /// Creates kinds from their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Null.
        public static let null = Self(rawValue: 1)
        /// True and false.
        public static let boolean = Self(rawValue: 2)
        /// Numbers.
        public static let number = Self(rawValue: 4)
        /// Strings.
        public static let string = Self(rawValue: 8)
        /// Arrays.
        public static let array = Self(rawValue: 16)
        /// Objects.
        public static let object = Self(rawValue: 32)
        /// All of them.
        public static let all = Self(rawValue: 63)
    }

    private var nodes: [Node] = []

    /// Creates one without nodes.
    public init() {}

    /// Adds a node and returns its index.
    public mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// Replaces a node that was added before what it refers to was known.
    public mutating func replace(_ index: Int, by node: Node) { nodes[index] = node }

    /// Adds the nodes of another shape and returns by how much their indices have grown.
    public mutating func add(_ other: JSONShape) -> Int {
        let shift = nodes.count
        for node in other.nodes { nodes.append(node.shifted(by: shift)) }
        return shift
    }
}

// Sets of nodes: what a value may be.
extension JSONShape {
    /// The nodes that values of the given ones are of, without ``Node/anyOf(_:)``.
    public func alternatives(of wanted: [Int]) -> [Int] {
        var seen: Set<Int> = []
        var found: [Int] = []
        var rest = Array(wanted.reversed())
        while let next = rest.popLast() {
            guard seen.insert(next).inserted else { continue }
            if case .anyOf(let branches) = nodes[next] {
                rest += branches.reversed()
            } else {
                found.append(next)
            }
        }
        return found
    }

    /// The members with a name; empty if no value has one.
    public func member(_ name: String, of wanted: [Int]) -> [Int] {
        collect(wanted) { node, index in
            switch node {
            case .object(let members): members.filter { $0.name == name }.map(\.node)
            case .map(let value): [value]
            case .anything: [index]
            default: []
            }
        }
    }

    /// The members with any name.
    public func members(of wanted: [Int]) -> [Int] {
        collect(wanted) { node, index in
            switch node {
            case .object(let members): members.map(\.node)
            case .map(let value): [value]
            case .anything: [index]
            default: []
            }
        }
    }

    /// The elements of arrays; empty if no value is one.
    public func elements(of wanted: [Int]) -> [Int] {
        collect(wanted) { node, index in
            switch node {
            case .array(let element): [element]
            case .anything: [index]
            default: []
            }
        }
    }

    private func collect(_ wanted: [Int], _ step: (Node, Int) -> [Int]) -> [Int] {
        alternatives(of: alternatives(of: wanted).flatMap { step(nodes[$0], $0) })
    }

    /// The names of members, as far as they are fixed.
    public func names(of wanted: [Int]) -> [String] {
        alternatives(of: wanted).flatMap { index -> [String] in
            guard case .object(let members) = nodes[index] else { return [] }
            return members.map(\.name)
        }
    }

    /// The strings that values may be; nil when any string is possible.
    public func words(of wanted: [Int]) -> [String]? {
        var words: [String] = []
        for index in alternatives(of: wanted) {
            switch nodes[index] {
            case .word(let some): words += some
            case .string, .anything: return nil
            default: break
            }
        }
        return words
    }

    /// The kinds of values.
    public func kinds(of wanted: [Int]) -> Kinds {
        alternatives(of: wanted).reduce(into: []) { $0.formUnion(nodes[$1].kinds) }
    }
}

extension JSONShape.Node {
    fileprivate var kinds: JSONShape.Kinds {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .number: .number
        case .string, .word: .string
        case .array: .array
        case .map, .object: .object
        case .anyOf: []
        case .anything: .all
        }
    }

    fileprivate func shifted(by shift: Int) -> Self {
        switch self {
        case .array(let node): .array(node + shift)
        case .map(let node): .map(node + shift)
        case .object(let members):
            .object(members.map { .init(name: $0.name, node: $0.node + shift) })
        case .anyOf(let nodes): .anyOf(nodes.map { $0 + shift })
        case .null, .boolean, .number, .string, .word, .anything: self
        }
    }
}
