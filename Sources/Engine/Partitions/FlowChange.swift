package import Delivery

/// Changes of partition flow for the source to apply.
package struct FlowChange: Equatable, Sendable {
    /// The partitions to pause.
    package var pause: [AssignmentID] = []
    /// The partitions to resume.
    package var resume: [AssignmentID] = []
}
