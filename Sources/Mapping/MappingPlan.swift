/// A connector's mapping, compiled: what ``Mapper`` walks for each record.
public struct MappingPlan: Sendable {
    /// Compiles a connector's `notification` and `when`, and lists every mistake in them.
    ///
    /// Without a notification block events are canonical: they carry the block's fields at
    /// their top level. `format` is the value of `source.format`; nil means `json`. There is a
    /// plan exactly when every problem is a warning.
    public static func compile(
        notification: MappingSource?, when: MappingSource?, format: MappingSource? = nil,
        defaults: MappingDefaults
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        (MappingPlan(), [])
    }
}
