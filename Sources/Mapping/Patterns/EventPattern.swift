/// An EventBridge event pattern: where its outermost conditions stand in the ``PatternTable``.
struct EventPattern: Sendable, BitwiseCopyable {
    var root: MappingPlan.Run
}

/// The conditions of all event patterns of a plan, flattened.
struct PatternTable: Sendable {
    /// What a condition examines.
    enum Subject: Hashable, Sendable, BitwiseCopyable {
        /// A path of one step, from the object that the condition stands in.
        case member(Int32)
        case key, topic, partition, offset, timestamp
        case header(Int32)
        case attribute(Int32)
        /// Metadata by name: the conditions below look at headers or CloudEvents attributes.
        case headers, attributes
    }

    /// What must hold for an object.
    enum Condition: Sendable, BitwiseCopyable {
        /// One of several matchers takes the subject.
        case leaf(Subject, Leaf)
        /// Conditions that hold for the subject; below an array all in one element.
        case object(Subject, MappingPlan.Run)
        /// One of several conditions.
        case anyOf(MappingPlan.Run)
        /// Several conditions on the same object.
        case allOf(MappingPlan.Run)
    }

    /// The list of a pattern's leaf.
    struct Leaf: Sendable, BitwiseCopyable {
        var matchers: MappingPlan.Run
        /// True when nothing at all is taken, too.
        var takesAbsence = false
        /// What the matchers read, so that a value is made ready for all of them once.
        var needs: LeafNeeds = []
    }

    enum Matcher: Sendable, BitwiseCopyable {
        case null
        case boolean(Bool)
        case number(MappingPlan.Piece)
        case text(MappingPlan.Piece)
        case prefix(MappingPlan.Piece, ignoresCase: Bool)
        case suffix(MappingPlan.Piece, ignoresCase: Bool)
        case equalIgnoringCase(MappingPlan.Piece)
        case wildcard(Int32)
        case addresses(AddressRange)
        /// All of these comparisons.
        case numeric(MappingPlan.Run)
        case anything
        /// None of these matchers.
        case anythingBut(MappingPlan.Run)
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
    var wildcards: [Wildcard] = []
}

/// What the matchers of a leaf read.
struct LeafNeeds: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    /// A text with its escapes undone.
    static let text = Self(rawValue: 1)
    /// A text without the difference of large and small letters.
    static let folded = Self(rawValue: 2)
    /// The digits of a number.
    static let number = Self(rawValue: 4)
}
