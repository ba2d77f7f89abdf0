/// A step on the way from one JSON value to one inside it.
public enum JSONPathStep: Hashable, Sendable {
    /// To an object's member; the last one of that name.
    case member(String)
    /// To an array's element, counted from 0.
    case element(Int)
}

/// Paths in one flat piece of memory, so that a plan can hold many and following one is cheap.
public struct JSONPathTable: Sendable {
    struct Step: Sendable, BitwiseCopyable {
        /// Where the name begins in `names`; for an element -1.
        var start: Int32
        /// The length of the name, or the index of the element.
        var count: Int32
    }

    private(set) var steps: [Step] = []
    private(set) var names: [UInt8] = []
    private(set) var paths: [Range<Int32>] = []

    /// An empty table.
    public init() {}

    /// Adds a path and returns its number, by which it is asked for.
    public mutating func add(_ path: [JSONPathStep]) -> Int {
        let first = Int32(steps.count)
        for step in path {
            switch step {
            case .member(let name):
                let bytes = name.utf8
                steps.append(Step(start: Int32(names.count), count: Int32(bytes.count)))
                names.append(contentsOf: bytes)
            case .element(let index):
                steps.append(Step(start: -1, count: Int32(clamping: index)))
            }
        }
        paths.append(first..<Int32(steps.count))
        return paths.count - 1
    }

    /// The steps of a path, as they were added.
    public func steps(of path: Int) -> [JSONPathStep] {
        paths[path].map { index in
            let step = steps[Int(index)]
            guard step.start >= 0 else { return .element(Int(step.count)) }
            let name = names[Int(step.start)..<Int(step.start + step.count)]
            return .member(String(decoding: name, as: UTF8.self))
        }
    }
}
