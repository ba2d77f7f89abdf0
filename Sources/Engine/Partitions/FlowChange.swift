package import Delivery

/// What the source is to be told about the flow of its partitions.
package struct FlowChange: Equatable, Sendable {
    /// The partitions that are to stop.
    package var pause: [AssignmentID] = []
    /// The partitions that are to flow again.
    package var resume: [AssignmentID] = []
}
