public import Delivery

/// Turns records into notifications after a plan; one for each worker, with its own buffers.
public struct Mapper: ~Copyable {
    /// Prepares to walk `plan`.
    public init(plan: MappingPlan) {}

    /// Maps one record into `result`, which it empties first.
    ///
    /// `now` is in milliseconds since 1970 and stands in for an event time that nobody wrote.
    public mutating func map(
        _ record: borrowing Record, now: Int64, into result: inout MappedRecord
    ) {
        result.reset()
    }
}
