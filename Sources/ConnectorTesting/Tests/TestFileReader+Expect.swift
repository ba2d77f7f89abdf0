internal import Engine
internal import JSON
internal import YAML

/// Reads what a test expects.
extension TestFileReader {
    /// The request headers that a test can expect.
    static let headers = [
        "apns-topic", "apns-channel-id", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id", "apns-id", "apns-request-id",
    ]
    private static let keys = ["requests", "outcomes", "unregistered", "dead_letters", "filtered"]

    /// Nil if nothing is expected yet.
    func expectation(_ test: YAMLNode) -> TestExpectation? {
        guard let (key, node) = test.entries?.first(where: { $0.key.text == "expect" }),
            !node.isNull, node.entries?.isEmpty != true
        else { return nil }
        var expectation = TestExpectation(line: key.location.line)
        guard check(keys: Self.keys, of: node, in: "expect") else { return expectation }
        if let requests = node["requests"] {
            expectation.requests = (requests.location.line, self.requests(requests))
        }
        expectation.outcomes = results(node, "outcomes", Self.members(ofSchema: "outcome"))
        expectation.unregistered = results(
            node, "unregistered", Self.members(ofSchema: "unregistered"))
        expectation.deadLetters = results(node, "dead_letters", DeadLetterView.members)
        if let filtered = node["filtered"] {
            expectation.isSkipped = boolean(filtered, "filtered").map {
                (filtered.location.line, $0)
            }
        }
        return expectation
    }

    /// Records of a result topic: a list of maps with known names.
    private func results(_ node: YAMLNode, _ name: String, _ members: [String]) -> TestValue? {
        guard let list = node[name] else { return nil }
        guard let elements = list.elements else {
            findings.error(list, "'\(name)' must be a list", "write [] for none")
            return nil
        }
        for element in elements { check(keys: members, of: element, in: name) }
        return TestValue(list, findings: findings)
    }

    /// The member names in the schema of a result.
    private static func members(ofSchema name: String) -> [String] {
        guard let text = ResultSchemas.text(named: name),
            let schema = TestValue(json: Array(text.utf8)),
            case .map(let members)? = schema["properties"]?.kind
        else { return [] }
        return members.map(\.name)
    }

    private func requests(_ node: YAMLNode) -> [TestExpectedRequest] {
        guard let elements = node.elements else {
            findings.error(node, "'requests' must be a list", "write [] for none")
            return []
        }
        return elements.map { request($0) }
    }

    private func request(_ node: YAMLNode) -> TestExpectedRequest {
        var request = TestExpectedRequest(line: node.location.line)
        let keys = ["token", "headers", "payload", "payload_contains", "bytes"]
        guard check(keys: keys, of: node, in: "a request") else { return request }
        if let token = node["token"] {
            request.token = text(token, "token").map { (token.location.line, $0) }
        }
        if let headers = node["headers"], check(keys: Self.headers, of: headers, in: "headers") {
            request.headers = (headers.entries ?? []).map { key, value in
                let text = value.isNull ? nil : self.text(value, key.text ?? "")
                return (key.text ?? "", value.location.line, text)
            }
        }
        if let payload = node["payload"] {
            request.payload = TestValue(payload, findings: findings)
        }
        if let (key, part) = node.entries?.first(where: { $0.key.text == "payload_contains" }) {
            if request.payload != nil {
                findings.error(
                    key, "'payload' and 'payload_contains' are mutually exclusive",
                    "keep one: payload compares all members, payload_contains only some")
            }
            request.payload = TestValue(part, findings: findings)
            request.mayHoldMore = true
        }
        if let bytes = node["bytes"] {
            request.byteCount = integer(bytes, "bytes", 0...Int.max).map {
                (bytes.location.line, $0)
            }
        }
        return request
    }
}
