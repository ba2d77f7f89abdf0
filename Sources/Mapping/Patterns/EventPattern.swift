/// An EventBridge event pattern: the position of its outermost conditions in the ``PatternTable``.
struct EventPattern: Sendable, BitwiseCopyable {
    var root: MappingPlan.Run
}

/// The conditions of all event patterns in a plan, flattened.
struct PatternTable: Sendable {
    /// The value that a condition examines.
    enum Subject: Hashable, Sendable, BitwiseCopyable {
        /// A path of one step, from the object that the condition applies to.
        case member(Int32)
        /// The record's whole value, if it is an object.
        case value
        case key, topic, partition, offset, timestamp
        case header(Int32)
        case attribute(Int32)
        /// Metadata by name: nested conditions examine headers or CloudEvents attributes.
        case headers, attributes
    }

    /// A condition on an object.
    enum Condition: Sendable, BitwiseCopyable {
        /// At least one of several matchers must accept the subject.
        case leaf(Subject, Leaf)
        /// Conditions on the subject; within an array, all on the same element.
        case object(Subject, MappingPlan.Run)
        /// At least one of several conditions.
        case anyOf(MappingPlan.Run)
        /// Several conditions on the same object.
        case allOf(MappingPlan.Run)
    }

    /// The matchers of a leaf.
    struct Leaf: Sendable, BitwiseCopyable {
        var matchers: MappingPlan.Run
        /// True when an absent value is accepted too.
        var takesAbsence = false
        /// The forms of a value that the matchers need, so that they are prepared once for all.
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
        /// All of these comparisons, of versions.
        case version(MappingPlan.Run)
        case anything
        /// None of these matchers.
        case anythingBut(MappingPlan.Run)
    }

    /// A comparison in `numeric`, such as `>=` with a number.
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

/// The forms of a value that a leaf's matchers need.
struct LeafNeeds: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    /// A string.
    static let text = Self(rawValue: 1)
    /// A case-folded string.
    static let folded = Self(rawValue: 2)
    /// The digits of a number.
    static let number = Self(rawValue: 4)
    /// A copy of the string, unescaped: it is not only compared.
    static let copy = Self(rawValue: 8)
}
