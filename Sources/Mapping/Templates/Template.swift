/// A string with holes that are filled from the event, as parsed; `MappingPlan` flattens it.
struct Template: Equatable {
    /// The parts of a string, from left to right.
    enum Part: Equatable {
        case text(String)
        case hole(Hole)
    }

    /// Everything between `${` and `}`.
    struct Hole: Equatable {
        /// The first present one counts.
        var operands: [Operand]
        /// True after `?`: if no operand is present, the whole key is omitted.
        var isOptional = false
        var transforms: [Transform] = []
        /// The hole as written, from `${` to `}`.
        var written = ""
        /// The position of `${`, in Unicode scalars.
        var offset = 0

        /// True when its value is an array or absent for every event.
        var isList: Bool {
            guard operands.count == 1, case .path(let path) = operands[0] else { return false }
            return path.steps.contains(.everyElement)
        }
    }

    enum Operand: Equatable {
        case path(Path)
        case text(String)
        case number(String)
        case boolean(Bool)
    }

    struct Path: Equatable {
        var root = Root.event
        var steps: [Step] = []
    }

    /// Where a path starts.
    enum Root: Equatable {
        case event, value, key, timestamp, topic, partition, offset
        case header(String)
        case attribute(String)
    }

    enum Step: Equatable {
        case member(String)
        case element(Int)
        case everyElement
        /// To the member, or the element, that is the value at another path.
        case lookUp(Path)
    }

    /// A word after `|` with its arguments.
    struct Transform: Equatable {
        var name: String
        var arguments: [Argument] = []
        var offset = 0
    }

    /// An argument: a value with its `??`s, or `key = value`.
    struct Argument: Equatable {
        var key: Operand?
        var operands: [Operand]
        var offset = 0
    }

    /// Something that works, but probably not as intended.
    struct Remark: Equatable {
        var offset: Int
        var message: String
        var remedy: String
        /// True when it quotes text outside of holes.
        var quotesText = false
        /// The path that the example event must have for it to apply; nil if it always does.
        var examplePath: String?
    }

    var parts: [Part] = []
    var remarks: [Remark] = []

    /// The hole, if the whole string is exactly one.
    var aloneHole: Hole? {
        guard parts.count == 1, case .hole(let hole) = parts[0] else { return nil }
        return hole
    }

    /// The string, if it contains no hole.
    var constantText: String? {
        switch parts.count {
        case 0: return ""
        case 1:
            if case .text(let text) = parts[0] { return text }
            return nil
        default: return nil
        }
    }

    var holes: [Hole] {
        parts.compactMap { if case .hole(let hole) = $0 { hole } else { nil } }
    }
}
