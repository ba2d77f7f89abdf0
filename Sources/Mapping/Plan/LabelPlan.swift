/// One of the connector's labels: a member of the JSON object that each outcome repeats.
struct LabelPlan: Sendable, BitwiseCopyable {
    /// `"name":`, followed by the value if that is constant.
    var start: MappingPlan.Piece
    /// The template of the value; -1 for a constant.
    var template: Int32
}

/// What an explanation needs to know about a label.
struct LabelOrigin: Sendable {
    var name: String
    var location: MappingLocation
}

/// A label without a value: the others, and the push, are not affected.
struct LabelFault {
    /// The index of the label.
    var label: Int
    var fault: MappingFault
}
