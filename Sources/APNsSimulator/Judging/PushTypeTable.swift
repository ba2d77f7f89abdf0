internal import Delivery

/// Apple's push types by their bytes, so that no strings are created per request.
enum PushTypeTable {
    private static let rows = PushType.allCases.map {
        (name: [UInt8]($0.rawValue.utf8), suffix: [UInt8]($0.topicSuffix.utf8), type: $0)
    }
    private static let suffixes = rows.map(\.suffix).filter { !$0.isEmpty }

    static func type(of request: borrowing PushRequest) -> PushType? {
        for row in rows where request.has(.pushType, row.name) { return row.type }
        return nil
    }

    /// The push type whose suffix a topic has; nil without a suffix.
    static func type(ofTopic topic: ArraySlice<UInt8>) -> PushType? {
        for row in rows where !row.suffix.isEmpty && hasSuffix(topic, row.suffix) {
            return row.type
        }
        return nil
    }

    /// Whether the topic has the suffix that the push type requires, and no other type's.
    static func suits(_ type: PushType, topic: ArraySlice<UInt8>) -> Bool {
        if type == .mdm { return topic.starts(with: BundleIdentifier.managementPrefix) }
        for row in rows where row.type == type && !row.suffix.isEmpty {
            return hasSuffix(topic, row.suffix)
        }
        for suffix in suffixes where hasSuffix(topic, suffix) { return false }
        return true
    }

    /// The topic without any push type's suffix.
    static func bundleID(of topic: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for suffix in suffixes where hasSuffix(topic, suffix) {
            return topic.dropLast(suffix.count)
        }
        return topic
    }

    private static func hasSuffix(_ topic: ArraySlice<UInt8>, _ suffix: [UInt8]) -> Bool {
        guard topic.count > suffix.count else { return false }
        var index = topic.endIndex - suffix.count
        for byte in suffix {
            guard topic[index] == byte else { return false }
            index += 1
        }
        return true
    }
}
