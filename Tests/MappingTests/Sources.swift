import Delivery
import Mapping
import TLS

extension MappingSource: ExpressibleByStringLiteral {
    /// Text in quotation marks.
    init(stringLiteral value: String) { self = .text(value, .quoted) }

    static func text(_ text: String) -> MappingSource { .text(text, .quoted) }

    static func plain(_ text: String) -> MappingSource { .text(text, .plain) }

    private static func text(_ text: String, _ style: MappingScalarStyle) -> MappingSource {
        let marks = style == .plain ? 0 : 2
        return .scalar(
            text: text, style: style, location: MappingLocation(line: 8, column: 10),
            end: MappingLocation(line: 8, column: 10 + text.unicodeScalars.count + marks))
    }
}

extension MappingSource: ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
{}

extension MappingSource: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int) { self = .plain("\(value)") }
}

extension MappingSource: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self = .plain("\(value)") }
}

extension MappingSource: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: MappingSource...) {
        self = .list(elements, location: MappingLocation(line: 7, column: 5))
    }
}

extension MappingSource: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, MappingSource)...) {
        let members = elements.map { key, value in
            MappingMember(key: key, keyLocation: MappingLocation(line: 6, column: 3), value: value)
        }
        self = .map(members, location: MappingLocation(line: 5, column: 3))
    }

    /// A copy with members added or replaced.
    func with(_ changes: KeyValuePairs<String, MappingSource>) -> MappingSource {
        guard case .map(var members, let location) = self else { return self }
        for (key, value) in changes {
            members.removeAll { $0.key == key }
            members.append(
                MappingMember(
                    key: key, keyLocation: MappingLocation(line: 6, column: 3), value: value))
        }
        return .map(members, location: location)
    }

    func without(_ key: String) -> MappingSource {
        guard case .map(let members, let location) = self else { return self }
        return .map(members.filter { $0.key != key }, location: location)
    }
}

let defaults = {
    var defaults = MappingDefaults(
        fileName: "connectors/orders.yaml", bundleID: "com.example.shop",
        environment: "production")
    defaults.allowedBundleIDs = ["com.example.*"]
    return defaults
}()

@Sendable func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }

/// A notification block with only the required keys.
let minimal: MappingSource = [
    "device_token": "${token}", "payload": ["aps": ["alert": "Hi"]],
]

func problems(
    _ notification: MappingSource?, when: MappingSource? = nil, format: MappingSource? = nil
) -> [MappingProblem] {
    MappingPlan.compile(
        notification: notification, when: when, format: format, defaults: defaults, hash: sha256
    ).problems
}

struct Unplanned: Error { var problems: [MappingProblem] }

func mapped(
    _ record: TestRecord, _ notification: MappingSource?, when: MappingSource? = nil,
    now: Int64 = 1_767_261_600_000
) throws -> MappedRecord {
    let compiled = MappingPlan.compile(
        notification: notification, when: when, defaults: defaults, hash: sha256)
    guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
    var mapper = Mapper(plan: plan)
    var result = MappedRecord()
    // Twice, so that leftovers in the buffers show.
    mapper.map(record.makeRecord(), now: now, into: &result)
    mapper.map(record.makeRecord(), now: now, into: &result)
    return result
}

/// The single notification of an event.
func notification(
    _ json: String, _ source: MappingSource? = minimal, when: MappingSource? = nil
) throws -> Notification {
    try mapped(TestRecord(json: json), source, when: when).notifications[0]
}

/// The result of a payload with one member `v`.
func payload(_ value: MappingSource, of event: String) throws -> Notification {
    let source = minimal.with(["payload": ["aps": ["badge": 1], "v": value]])
    return try notification("{\"token\":\"ab\"," + event.dropFirst(), source)
}

func written(_ value: MappingSource, of event: String) throws -> String {
    let made = try payload(value, of: event)
    if let drop = made.drop { return drop.reason.rawValue }
    return String(made.body.dropFirst("{\"aps\":{\"badge\":1}".count).dropLast())
}

extension Notification {
    var body: String { String(decoding: payload, as: UTF8.self) }
    var tokenText: String { String(decoding: destination.identifier, as: UTF8.self) }
    var collapseText: String { String(decoding: collapseID, as: UTF8.self) }
}
