internal import APNs

/// The expectation with which a test would pass.
extension TestOutput {
    /// An `expect` with the shape of an earlier one and the actual results.
    ///
    /// Only what was listed is listed again. New elements get the members that most tests need;
    /// without an earlier expectation these are `requests` and `outcomes`.
    func expectation(like old: TestValue?) -> TestValue {
        guard let old, case .map(let members) = old.kind, !members.isEmpty else {
            return TestValue(
                .map([
                    .init(name: "requests", value: requests(like: nil)),
                    .init(name: "outcomes", value: Self.list(outcomes, like: nil)),
                ]))
        }
        return TestValue(
            .map(
                members.map { member in
                    TestValue.Member(name: member.name, value: part(member.name, member.value))
                }))
    }

    private func part(_ name: String, _ old: TestValue) -> TestValue {
        switch name {
        case "requests": requests(like: old)
        case "outcomes": Self.list(outcomes, like: old)
        case "unregistered": Self.list(unregistered, like: old)
        case "dead_letters": Self.list(deadLetters, like: old)
        default: TestValue(.boolean(isSkipped))
        }
    }

    private func requests(like old: TestValue?) -> TestValue {
        TestValue(
            .list(requests.indices.map { request($0, like: old?.shape($0)) }))
    }

    private func request(_ index: Int, like old: TestValue?) -> TestValue {
        let request = requests[index]
        let payload = TestValue(json: request.payload) ?? TestValue(.null)
        let shape =
            old.flatMap { Self.members(of: $0, for: request) } ?? Self.usualMembers(of: request)
        let members = shape.map { member in
            let value: TestValue =
                switch member.name {
                case "token": TestValue(Self.token(of: request).map { .text($0) } ?? .null)
                case "headers":
                    TestValue(
                        .map(
                            (member.value.members ?? []).map { header in
                                let text = request.header(header.name)
                                return .init(
                                    name: header.name,
                                    value: TestValue(text.map { .text($0) } ?? .null))
                            }))
                case "payload_contains": payload.pruned(like: member.value)
                case "bytes": TestValue(.number("\(request.payload.count)"))
                default: payload
                }
            return TestValue.Member(name: member.name, value: value)
        }
        return TestValue(.map(members))
    }

    /// What an earlier expectation lists; the channel of a broadcast takes the place of a token.
    private static func members(
        of old: TestValue, for request: APNsRequest
    ) -> [TestValue.Member]? {
        guard let listed = old.members, token(of: request) == nil, old["token"] != nil else {
            return old.members
        }
        let channel = TestValue.Member(name: channelHeader, value: TestValue(.null))
        let headers = (old["headers"]?.members ?? []).filter { $0.name != channelHeader }
        let others = listed.filter { $0.name != "token" && $0.name != "headers" }
        return [.init(name: "headers", value: TestValue(.map([channel] + headers)))] + others
    }

    /// What most tests expect of a request: not its identifier.
    private static func usualMembers(of request: APNsRequest) -> [TestValue.Member] {
        let sent = TestFileReader.headers.filter {
            request.header($0) != nil && $0 != "apns-id" && $0 != "apns-request-id"
        }
        let headers = sent.map { TestValue.Member(name: $0, value: TestValue(.null)) }
        let token = token(of: request).map { _ in
            TestValue.Member(name: "token", value: TestValue(.null))
        }
        return (token.map { [$0] } ?? []) + [
            .init(name: "headers", value: TestValue(.map(headers))),
            .init(name: "payload", value: TestValue(.null)),
        ]
    }

    private static func list(_ got: [TestValue], like old: TestValue?) -> TestValue {
        TestValue(
            .list(
                got.enumerated().map { index, value in
                    if let shape = old?.shape(index) { return value.pruned(like: shape) }
                    return value.usual
                }))
    }
}

extension TestValue {
    /// The members of a map.
    var members: [Member]? { if case .map(let members) = kind { members } else { nil } }

    /// An element of a list.
    func element(_ index: Int) -> TestValue? {
        guard case .list(let elements) = kind, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The shape of an element: that of the previous element at this index, or else of the last
    /// one.
    fileprivate func shape(_ index: Int) -> TestValue? {
        guard case .list(let elements) = kind else { return nil }
        return elements.indices.contains(index) ? elements[index] : elements.last
    }

    /// The part of this value that another one lists.
    fileprivate func pruned(like shape: TestValue) -> TestValue {
        switch (kind, shape.kind) {
        case (.map, .map(let wanted)):
            let members = wanted.compactMap { member in
                self[member.name].map {
                    Member(name: member.name, value: $0.pruned(like: member.value))
                }
            }
            return TestValue(.map(members))
        case (.list(let elements), .list(let wanted)) where elements.count == wanted.count:
            return TestValue(.list(zip(elements, wanted).map { $0.pruned(like: $1) }))
        default: return self
        }
    }

    /// The usual members of a result, if they are not empty.
    var usual: TestValue {
        var names = ["verdict", "reason", "status", "attempts"]
        if self["verdict"] == nil { names += ["device_token", "timestamp"] }
        let kept = (members ?? []).filter { member in
            if case .null = member.value.kind { return false }
            return names.contains(member.name)
        }
        return TestValue(.map(kept))
    }
}
