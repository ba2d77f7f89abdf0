internal import APNs
internal import Delivery
internal import Encoding

/// Compares a test's actual results with the expected ones.
struct TestComparison {
    private static let absent = "(absent)"

    /// The field that determines a header.
    private static let fields = [
        "apns-topic": "bundle_id", "apns-push-type": "push_type", "apns-priority": "priority",
        "apns-expiration": "expiration", "apns-collapse-id": "collapse_id", "apns-id": "apns_id",
        "apns-request-id": "apns_id", "apns-channel-id": "broadcast",
    ]

    let now: Int64
    private(set) var mismatches: [TestMismatch] = []

    init(now: Int64) { self.now = now }

    /// All differences; empty when the test has passed.
    static func mismatches(
        _ expected: TestExpectation, _ output: TestOutput, now: Int64
    ) -> [TestMismatch] {
        var comparison = TestComparison(now: now)
        if let requests = expected.requests {
            comparison.compare(requests.list, line: requests.line, output)
        }
        comparison.compare(expected.outcomes, output.outcomes, "outcomes", "outcome", output)
        comparison.compare(
            expected.unregistered, output.unregistered, "unregistered", "unregistered record",
            output)
        comparison.compare(
            expected.deadLetters, output.deadLetters, "dead_letters", "dead letter", output)
        if let filtered = expected.isSkipped, filtered.value != output.isSkipped {
            comparison.add(
                filtered.line, "filtered", expected: "\(filtered.value)",
                got: "\(output.isSkipped)")
        }
        return comparison.mismatches
    }

    private mutating func add(
        _ line: Int, _ headline: String, expected: String? = nil, got: String? = nil,
        remarks: [String] = [], field: TestField? = nil
    ) {
        mismatches.append(
            TestMismatch(
                line, headline, expected: expected, got: got, remarks: remarks, field: field))
    }

    // MARK: Requests

    private mutating func compare(
        _ expected: [TestExpectedRequest], line: Int, _ output: TestOutput
    ) {
        let got = output.requests
        for (index, pair) in zip(expected, got).enumerated() {
            compare(pair.0, pair.1, number: index)
        }
        guard expected.count != got.count else { return }
        var remarks = got.dropFirst(expected.count).map { remark(on: $0) }
        if got.count < expected.count { remarks += output.remarks }
        add(
            line, Self.counts(expected.count, got.count, "request", "requests"), remarks: remarks)
    }

    private mutating func compare(
        _ expected: TestExpectedRequest, _ got: APNsRequest, number: Int
    ) {
        let path = "requests[\(number)]"
        let block = TestField(request: number, steps: [])
        if let token = expected.token, token.text != TestOutput.token(of: got) {
            add(
                token.line, path + ".token", expected: Self.quoted(token.text),
                got: TestOutput.token(of: got).map(Self.quoted) ?? Self.absent,
                field: block.inside(.member("device_token")))
        }
        for header in expected.headers where header.text != got.header(header.name) {
            add(
                header.line, path + ".headers." + header.name,
                expected: header.text.map(Self.quoted) ?? Self.absent,
                got: got.header(header.name).map(Self.quoted) ?? Self.absent,
                field: Self.fields[header.name].map { block.inside(.member($0)) })
        }
        if let payload = expected.payload {
            let name = expected.mayHoldMore ? ".payload_contains" : ".payload"
            let value =
                TestValue(json: got.payload)
                ?? TestValue(.text(String(decoding: got.payload, as: UTF8.self)))
            compare(
                payload, value, path + name, mayHoldMore: expected.mayHoldMore,
                field: block.inside(.member("payload")))
        }
        if let bytes = expected.byteCount, bytes.count != got.payload.count {
            add(
                bytes.line, path + ".bytes", expected: "\(bytes.count)",
                got: "\(got.payload.count)")
        }
    }

    /// Hints on why a request was made.
    private func remark(on request: APNsRequest) -> String {
        guard let text = request.header("apns-expiration"), let seconds = Int64(text), seconds > 0
        else {
            let type = request.header("apns-push-type") ?? ""
            return "got \(type) to \(TestOutput.destination(of: request).prefix(16))…"
        }
        let order = seconds * 1000 > now ? "after" : "not after"
        return "apns-expiration \(seconds) is \(order) now (\(Self.moment(now)))"
    }

    // MARK: Results

    private mutating func compare(
        _ expected: TestValue?, _ got: [TestValue], _ path: String, _ noun: String,
        _ output: TestOutput
    ) {
        guard let expected, case .list(let list) = expected.kind else { return }
        for (index, pair) in zip(list, got).enumerated() {
            compare(pair.0, pair.1, "\(path)[\(index)]", mayHoldMore: true)
        }
        guard list.count != got.count else { return }
        var remarks = got.dropFirst(list.count).map { "got \($0.usual.shown)" }
        if got.count < list.count { remarks += output.remarks }
        add(
            expected.line, Self.counts(list.count, got.count, noun, noun + "s"),
            remarks: remarks)
    }

    // MARK: Values

    private mutating func compare(
        _ expected: TestValue, _ got: TestValue, _ path: String, mayHoldMore: Bool,
        field: TestField? = nil
    ) {
        switch (expected.kind, got.kind) {
        case (.map(let wanted), .map(let found)):
            for member in wanted {
                let inner = path + Self.step(member.name)
                let field = field?.inside(.member(member.name))
                guard let value = got[member.name] else {
                    add(
                        member.value.line, inner, expected: member.value.shown, got: Self.absent,
                        field: field)
                    continue
                }
                compare(member.value, value, inner, mayHoldMore: mayHoldMore, field: field)
            }
            guard !mayHoldMore else { return }
            for member in found where expected[member.name] == nil {
                add(
                    expected.line, path + Self.step(member.name), expected: Self.absent,
                    got: member.value.shown, field: field?.inside(.member(member.name)))
            }
        case (.list(let wanted), .list(let found)) where wanted.count == found.count:
            for (index, pair) in zip(wanted, found).enumerated() {
                compare(
                    pair.0, pair.1, path + "[\(index)]", mayHoldMore: mayHoldMore,
                    field: field?.inside(.element(index)))
            }
        case (.null, .null): return
        case (.boolean(let left), .boolean(let right)) where left == right: return
        case (.number(let left), .number(let right)) where left == right: return
        case (.text(let left), .text(let right)) where left == right: return
        default:
            add(expected.line, path, expected: expected.shown, got: got.shown, field: field)
        }
    }
}

extension TestComparison {
    /// A member as part of a path.
    private static func step(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0 != 46 && $0 != 91 && $0 > 32 }
        return isPlain ? "." + name : "[\(quoted(name))]"
    }

    private static func quoted(_ text: String) -> String { TestValue(.text(text)).shown }

    private static func counts(
        _ expected: Int, _ got: Int, _ one: String, _ many: String
    ) -> String {
        let wanted = expected == 0 ? "no" : "\(expected)"
        let found = got == 0 ? "none" : "\(got)"
        return "expected \(wanted) \(expected < 2 ? one : many), got \(found)"
    }

    /// A moment in UTC, without milliseconds if they are zero.
    static func moment(_ milliseconds: Int64) -> String {
        let text = Timestamp.text(milliseconds: milliseconds)
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}
