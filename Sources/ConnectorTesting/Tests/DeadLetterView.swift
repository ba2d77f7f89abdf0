internal import Delivery

/// A dead letter in a test's terms: the added headers as plain members, and the original record.
enum DeadLetterView {
    private static let prefix = "apns-bridge-"
    private static let numbers: Set<String> = [
        "attempts", "index", "partition", "offset", "timestamp", "value_omitted",
    ]

    /// The members that a dead letter may have.
    static let members = [
        "reason", "detail", "connector", "attempts", "apns_id", "index", "topic", "partition",
        "offset", "timestamp", "labels", "value_omitted", "value_sha256", "key", "value",
        "headers",
    ]

    static func value(of record: ResultRecord) -> TestValue {
        var added: [TestValue.Member] = []
        var headers: [TestValue.Member] = []
        for header in record.headers {
            let text = header.value.map { String(decoding: $0, as: UTF8.self) }
            if header.name.hasPrefix(prefix) {
                let name = String(header.name.dropFirst(prefix.count).map { $0 == "-" ? "_" : $0 })
                added.append(.init(name: name, value: member(name, text)))
            } else {
                headers.append(
                    .init(name: header.name, value: TestValue(text.map { .text($0) } ?? .null)))
            }
        }
        added.append(.init(name: "key", value: text(record.key)))
        let value = record.value.flatMap { TestValue(json: $0) }
        added.append(.init(name: "value", value: value ?? text(record.value)))
        added.append(.init(name: "headers", value: TestValue(.map(headers))))
        return TestValue(.map(added))
    }

    private static func member(_ name: String, _ text: String?) -> TestValue {
        guard let text else { return TestValue(.null) }
        if name == "labels" { return TestValue(json: [UInt8](text.utf8)) ?? TestValue(.text(text)) }
        return TestValue(numbers.contains(name) ? .number(text) : .text(text))
    }

    private static func text(_ bytes: [UInt8]?) -> TestValue {
        TestValue(bytes.map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null)
    }
}
