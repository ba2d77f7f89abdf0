/// A text with holes that are filled from the event, as parsed; `MappingPlan` flattens it.
struct Template: Equatable {
    /// What a text is made of, from left to right.
    enum Part: Equatable {
        case text(String)
        case hole(Hole)
    }

    /// Everything between `${` and `}`.
    struct Hole: Equatable {
        /// The first present one counts.
        var operands: [Operand]
        /// True behind `?`: when nothing is present the whole key goes.
        var isOptional = false
        var transforms: [Transform] = []
        /// The hole as written, from `${` to `}`.
        var written = ""
        /// Where `${` begins, in Unicode scalars.
        var offset = 0

        /// True when it gives an array or nothing, whatever the event is.
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

    /// What a path begins at.
    enum Root: Equatable {
        case event, key, timestamp, topic, partition, offset
        case header(String)
        case attribute(String)
    }

    enum Step: Equatable {
        case member(String)
        case element(Int)
        case everyElement
    }

    /// A word behind `|` with what stands in its brackets.
    struct Transform: Equatable {
        var name: String
        var arguments: [Argument] = []
        var offset = 0
    }

    /// What stands between two commas: a value with its `??`s, or `key = value`.
    struct Argument: Equatable {
        var key: Operand?
        var operands: [Operand]
        var offset = 0
    }

    /// Something that works, but hardly as it was meant.
    struct Remark: Equatable {
        var offset: Int
        var message: String
        var remedy: String
        /// True when it repeats what stands outside of holes.
        var quotesText = false
    }

    var parts: [Part] = []
    var remarks: [Remark] = []

    /// The hole, when the whole text is exactly one.
    var aloneHole: Hole? {
        guard parts.count == 1, case .hole(let hole) = parts[0] else { return nil }
        return hole
    }

    /// The text, when it holds no hole.
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
