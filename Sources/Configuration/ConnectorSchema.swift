internal import Mapping
internal import YAML

/// The JSON Schema of the connector file, for editors and other validators.
///
/// It is generated from the loader's table, so it contains the same keys, ranges and words.
public enum ConnectorSchema {
    /// The schema (draft 2020-12) as JSON.
    public static func json() -> String {
        json(
            "apns-bridge connector",
            "One file: which Kafka events become which push notifications.", ConnectorKey.root)
    }

    /// The schema of a file for legacy providers, as JSON.
    public static func json(of kind: LegacyFile.Kind) -> String {
        let description =
            switch kind {
            case .gateway: "Which legacy providers may push, and to which Kafka topic."
            case .feedback: "Which legacy providers may fetch unregistered device tokens."
            }
        return json("apns-bridge \(kind.rawValue)", description, kind.keys)
    }

    /// The schema of the process settings, as JSON.
    public static func jsonOfProcessSettings() -> String {
        json(
            "apns-bridge process settings", "What concerns the process and no single connector.",
            ConnectorKey.process)
    }

    private static func json(
        _ title: String, _ description: String, _ keys: [ConnectorKey]
    ) -> String {
        var members: [(name: String, value: SchemaValue)] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text(title)),
            ("description", .text(description)),
        ]
        members += block(keys)
        members.append(
            (
                "$defs",
                .object([
                    (
                        "reference",
                        .object([
                            (
                                "description",
                                .text("A value from an environment variable or a file.")
                            ),
                            ("type", .text("string")),
                            ("pattern", .text("\\$\\{\\s*(env|file):")),
                        ])
                    )
                ])
            ))
        return SchemaValue.object(members).json() + "\n"
    }

    private static func block(
        _ keys: [ConnectorKey]
    ) -> [(name: String, value: SchemaValue)] {
        let required = keys.filter { $0.isRequired && $0.substitutes.isEmpty }
            .map { SchemaValue.text($0.name) }
        var members: [(name: String, value: SchemaValue)] = [
            ("type", .text("object")),
            ("additionalProperties", .boolean(false)),
            ("properties", .object(keys.map { ($0.name, schema($0)) })),
        ]
        if !required.isEmpty { members.append(("required", .array(required))) }
        return members + alternatives(keys)
    }

    /// A key that is required unless one of its substitutes is present.
    private static func alternatives(
        _ keys: [ConnectorKey]
    ) -> [(name: String, value: SchemaValue)] {
        // In a block without one of the substitutes, the key may be inherited.
        let replaceable = keys.filter { key in
            !key.substitutes.isEmpty
                && key.substitutes.allSatisfy { name in keys.contains { $0.name == name } }
        }
        guard !replaceable.isEmpty else { return [] }
        var choices = [replaceable.map(\.name)]
        for name in keys.map(\.name)
        where replaceable.contains(where: { $0.substitutes.contains(name) }) {
            let others = replaceable.filter { !$0.substitutes.contains(name) }
            choices.append([name] + others.map(\.name))
        }
        return [("anyOf", .array(choices.map(SchemaValue.requiring)))]
    }

    private static func schema(_ key: ConnectorKey) -> SchemaValue {
        var members: [(name: String, value: SchemaValue)] = [
            ("title", .text(key.name)), ("description", .text(key.summary)),
        ]
        members += type(key.kind)
        if let standard = key.standard, let value = value(standard) {
            members.append(("default", value))
        }
        if let example = key.example, let value = value(example) {
            members.append(("examples", .array([value])))
        }
        return .object(members)
    }

    private static func type(_ kind: ConnectorKey.Kind) -> [(name: String, value: SchemaValue)] {
        switch kind {
        case .text, .template:
            [("type", .array([.text("string"), .text("number")])), ("minLength", .number("1"))]
        case .word(let words, _):
            orReference([("enum", .array(words.map(SchemaValue.text)))])
        case .boolean: orReference([("type", .text("boolean"))])
        case .integer(let range): orReference(integer(range))
        case .automatic(let range): automatic(range)
        case .choice(let numbers):
            orReference([("enum", .array(numbers.map { .number("\($0)") }))])
        case .number(let range):
            orReference([
                ("type", .text("number")), ("minimum", .number("\(range.lowerBound)")),
                ("maximum", .number("\(range.upperBound)")),
            ])
        case .bytes(let range): bytes(range)
        case .duration:
            orReference([
                ("type", .text("string")), ("minLength", .number("2")),
                (
                    "pattern",
                    .text("^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$")
                ),
            ])
        case .rate:
            orReference([
                ("type", .text("string")), ("pattern", .text("^[1-9][0-9]*/(s|m|h)$")),
            ])
        case .texts:
            [
                ("type", .text("array")), ("minItems", .number("1")),
                ("uniqueItems", .boolean(true)),
                ("items", .object([("type", .text("string")), ("minLength", .number("1"))])),
            ]
        case .properties: properties
        case .templates: templates
        case .block(let keys): block(keys)
        case .named(let keys):
            [
                ("type", .text("object")), ("minProperties", .number("1")),
                (
                    "propertyNames",
                    .object([("pattern", .text("^[A-Za-z0-9_-]{1,64}$"))])
                ), ("additionalProperties", .object(block(keys))),
            ]
        case .notifications:
            [
                ("type", .text("array")), ("minItems", .number("1")),
                ("items", .object(NotificationSchema.block(hasCondition: true))),
            ]
        case .notification: NotificationSchema.block(hasCondition: false)
        case .policy: NotificationSchema.policyOfCanonicalEvents
        case .pattern: [("type", .text("object"))]
        }
    }

    private static func bytes(
        _ range: ClosedRange<Int>
    ) -> [(name: String, value: SchemaValue)] {
        [
            (
                "anyOf",
                .array([
                    .object([
                        ("type", .text("integer")),
                        ("minimum", .number("\(range.lowerBound)")),
                        ("maximum", .number("\(range.upperBound)")),
                    ]),
                    .object([
                        ("type", .text("string")),
                        ("pattern", .text("^[0-9]+ ?([KMG]iB|[kKMG]?B)$")),
                    ]), reference,
                ])
            )
        ]
    }

    private static let properties: [(name: String, value: SchemaValue)] =
        [
            ("type", .text("object")),
            (
                "additionalProperties",
                .object([
                    (
                        "type",
                        .array([.text("string"), .text("number"), .text("boolean")])
                    )
                ])
            ),
        ]

    private static let templates: [(name: String, value: SchemaValue)] = [
        ("type", .text("object")), ("maxProperties", .number("\(Mapper.labelLimit)")),
        ("propertyNames", .object([("pattern", .text("^[A-Za-z0-9_-]{1,64}$"))])),
        (
            "additionalProperties",
            .object([
                ("type", .array([.text("string"), .text("number")])), ("minLength", .number("1")),
            ])
        ),
    ]

    private static let reference = SchemaValue.object([("$ref", .text("#/$defs/reference"))])

    private static func automatic(
        _ range: ClosedRange<Int>
    ) -> [(name: String, value: SchemaValue)] {
        let auto = SchemaValue.object([("enum", .array([.text("auto")]))])
        return [("anyOf", .array([auto, .object(integer(range)), reference]))]
    }

    private static func integer(
        _ range: ClosedRange<Int>
    ) -> [(name: String, value: SchemaValue)] {
        [
            ("type", .text("integer")), ("minimum", .number("\(range.lowerBound)")),
            ("maximum", .number("\(range.upperBound)")),
        ]
    }

    private static func orReference(
        _ members: [(name: String, value: SchemaValue)]
    ) -> [(name: String, value: SchemaValue)] {
        [("anyOf", .array([.object(members), reference]))]
    }

    /// A value of the table as JSON; nil when it is not valid YAML, which a test rules out.
    private static func value(_ text: String) -> SchemaValue? {
        (try? YAMLDocument.parse(text, file: "example")).map(value)
    }

    private static func value(_ node: YAMLNode) -> SchemaValue {
        switch node.kind {
        case .scalar(let text, .plain):
            Int(text) == nil && Double(text) == nil ? .text(text) : .number(text)
        case .scalar(let text, _): .text(text)
        case .sequence(let elements): .array(elements.map(value))
        case .mapping(let entries):
            .object(entries.map { ($0.key.text ?? "", value($0.value)) })
        }
    }
}
