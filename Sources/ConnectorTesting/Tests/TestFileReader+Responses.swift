internal import APNs
internal import YAML

/// Reads the responses of APNs in a test.
extension TestFileReader {
    func responses(_ node: YAMLNode?) -> [[TestResponse]] {
        guard let node, !node.isNull else { return [] }
        guard let elements = node.elements else {
            findings.error(
                node, "'answers' must be a list: one element for each request",
                "write [{status: 200}]; an inner list has one element for each attempt")
            return []
        }
        return elements.map { element in
            guard let attempts = element.elements else { return [response(element)] }
            if attempts.isEmpty {
                findings.error(element, "an empty list of answers", "write [{status: 200}]")
            }
            return attempts.map { response($0) }
        }
    }

    private func response(_ node: YAMLNode) -> TestResponse {
        let keys = ["status", "reason", "timestamp", "lost"]
        guard check(keys: keys, of: node, in: "an answer") else { return .lost }
        if let lost = node["lost"], boolean(lost, "lost") ?? true {
            for name in ["status", "reason", "timestamp"] {
                guard let other = node[name] else { continue }
                findings.error(
                    other, "'lost' cannot be combined with '\(name)'", "remove it, or remove 'lost'"
                )
            }
            return .lost
        }
        guard let statusNode = node["status"] else {
            findings.error(node, "an answer without 'status'", "write status: 200, or lost: true")
            return .lost
        }
        var response = APNsResponse(status: integer(statusNode, "status", 200...599) ?? 200)
        if let reason = node["reason"], !reason.isNull {
            response.reason = text(reason, "reason") ?? ""
            if response.status == 200 {
                findings.error(
                    reason, "an accepted push has no reason", "remove it, or write another status")
            }
        }
        if let timestamp = node["timestamp"], !timestamp.isNull {
            response.timestamp = integer(timestamp, "timestamp", 0...Int.max).map { Int64($0) }
            if response.status != 410 {
                findings.error(
                    timestamp, "only status 410 has a timestamp",
                    "remove it, or write status: 410")
            }
        }
        return .response(response)
    }
}
