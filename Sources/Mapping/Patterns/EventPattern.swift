/// An EventBridge event pattern: where its outermost conditions stand in the ``PatternTable``.
struct EventPattern: Sendable, BitwiseCopyable {
    var root: MappingPlan.Run
}

/// The conditions of all event patterns of a plan, flattened.
struct PatternTable: Sendable {
    /// What a condition looks at.
    enum Subject: Sendable, BitwiseCopyable {
        /// A path of one step, from the object that the condition stands in.
        case member(Int32)
        case key, topic
        case header(Int32)
        /// Metadata by name: the conditions below look at headers.
        case headers
    }

    /// What must hold for one subject: conditions on its members, or one of several matchers.
    struct Condition: Sendable, BitwiseCopyable {
        var subject: Subject
        var isLeaf: Bool
        /// Into `matchers` for a leaf, into `conditions` for an object.
        var run: MappingPlan.Run
    }

    enum Matcher: Sendable, BitwiseCopyable {
        case null
        case boolean(Bool)
        case text(MappingPlan.Piece)
        case number(MappingPlan.Piece)
        case prefix(MappingPlan.Piece)
        case suffix(MappingPlan.Piece)
        case exists(Bool)
        /// None of these.
        case anythingBut(MappingPlan.Run)
        /// All of these.
        case numeric(MappingPlan.Run)
    }

    /// A comparison of `numeric`, such as `>=` with a number.
    struct Comparison: Sendable, BitwiseCopyable {
        var takesLess: Bool
        var takesEqual: Bool
        var takesGreater: Bool
        var number: MappingPlan.Piece
    }

    var conditions: [Condition] = []
    var matchers: [Matcher] = []
    var comparisons: [Comparison] = []
}
