internal import Delivery
internal import JSON

/// The strings of one push for its result records, in buffers that are reused.
struct PushTexts: Sendable {
    private(set) var deviceToken: [UInt8] = []
    private(set) var bundleID: [UInt8] = []
    private(set) var collapseID: [UInt8] = []

    /// Reads the strings of a push from the memory of its record.
    mutating func read(
        _ push: Push, _ record: borrowing RecordCopy, _ bundleIDs: [[UInt8]]
    ) {
        record.withDestination(push.content) { deviceToken.replace(with: $0) }
        record.withCollapseID(push.content) { collapseID.replace(with: $0) }
        record.readBundleID(of: push.app, push.content, bundleIDs, into: &bundleID)
    }
}
