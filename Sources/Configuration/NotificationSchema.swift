internal import Delivery

/// The JSON Schema of a notification block; ``ConnectorSchema`` contains the rest.
///
/// A test compares the names with those that `Mapping` accepts.
enum NotificationSchema {
    typealias Member = (name: String, value: SchemaValue)

    /// The members of the schema; a block in a list has its own condition.
    static func block(hasCondition: Bool) -> [(name: String, value: SchemaValue)] {
        var properties: [Member] = []
        if hasCondition {
            properties.append(
                field(
                    "when", "Which events produce this notification: an event pattern.",
                    [("type", .text("object"))], .object([("type", .array([.text("order.sent")]))]))
            )
        }
        properties += fields
        let destinations = ["device_token", "device_tokens", "broadcast"]
        let tokens = destinations.map { SchemaValue.requiring([$0]) }
        let contents = ["payload", "live_activity"].map { SchemaValue.requiring([$0]) }
        return [
            ("type", .text("object")), ("additionalProperties", .boolean(false)),
            ("properties", .object(properties)), ("oneOf", .array(tokens)),
            ("allOf", .array([.object([("oneOf", .array(contents))])])),
            (
                "not",
                .object([
                    (
                        "anyOf",
                        .array([
                            .requiring(["for_each", "device_tokens"]),
                            .requiring(["broadcast", "collapse_id"]),
                        ])
                    )
                ])
            ),
        ]
    }

    private static let fields: [Member] = [
        field(
            "for_each", "One notification for each element of a list of the event.", forEach,
            .object([("items", template("devices")), ("as", .text("device"))])),
        field("device_token", "The device token, in hexadecimal digits.", text, template("token")),
        field(
            "device_tokens",
            "Several device tokens: a list, an array, or a comma-separated string.",
            either([("type", .text("array"))], [("type", .text("string"))]),
            template("devices[*].token")),
        field(
            "broadcast", "Instead of a device token: the channel to broadcast to.", broadcast,
            .object([("channel", template("channel_id"))])),
        field(
            "push_type",
            "The push type; defaults to liveactivity with 'live_activity' or 'broadcast', otherwise"
                + " to alert.",
            message(PushType.allCases.map { .text($0.rawValue) }), .text("alert")),
        field(
            "priority", "The priority; the default depends on the push type.",
            message(["1", "5", "10"].map { .number($0) }), .number("5")),
        field(
            "collapse_id", "Notifications with the same ID replace each other: 1 to 64 bytes.",
            scalar,
            .text("order-${order.id}")),
        field(
            "expiration", "When delivery attempts end; 0 for a single attempt.", scalar,
            template("expires_at")),
        field("ttl", "How long after the event to attempt delivery.", scalar, .text("4h")),
        field("event_time", "When the event happened.", scalar, template("created_at")),
        field(
            "bundle_id", "The app, if it is not the one under 'apns'.", text,
            .text("com.example.shop")),
        field("apns_id", "The event's own identifier, a UUID.", text, template("id")),
        field(
            "environment",
            "The event's own environment; the event is dropped if it differs from the connector's.",
            message([.text("production"), .text("development"), .text("sandbox")]),
            template("environment")),
        field(
            "payload", "The payload: aps, and the app's own members next to it.",
            either([("type", .text("object"))], template),
            .object([("aps", .object([("badge", .number("1"))]))])),
        field(
            "live_activity", "Instead of 'payload': what happens to a Live Activity.",
            ActivitySchema.members, ActivitySchema.example),
        field(
            "policy", "What to do with events that Apple would reject.", policy,
            .object([("collapse_id_too_long", .text("hash"))])),
    ]

    private static let broadcast: [Member] =
        object([
            field("channel", "The ID of the channel, in Base64.", text, template("channel_id"))
        ]) + [("required", .array([.text("channel")]))]

    private static let forEach: [Member] =
        object([
            field("items", "The path of the list.", template, template("devices")),
            field("as", "What templates call an element.", text, .text("device")),
            field(
                "when", "Which elements produce a notification: a pattern of the element alone.",
                [("type", .text("object"))], .object([("active", .array([.boolean(true)]))])),
            field(
                "else", "Instead of 'when': the elements that match no earlier block.",
                [("type", .text("boolean"))], .boolean(true)),
        ]) + [("required", .array([.text("items"), .text("as")]))]

    /// The members of the schema of `policy` for canonical events.
    static var policyOfCanonicalEvents: [(name: String, value: SchemaValue)] {
        object(policies)
    }

    private static var policy: [Member] {
        let unknownKeys = choice(
            "unknown_aps_keys", "Whether aps may contain keys that Apple does not document.",
            "refuse", "allow")
        return object(policies + [unknownKeys])
    }

    static func object(_ properties: [Member]) -> [Member] {
        [
            ("type", .text("object")), ("additionalProperties", .boolean(false)),
            ("properties", .object(properties)),
        ]
    }

    private static let policies: [Member] = [
        choice(
            "payload_too_large", "What to do with a payload that is too large.",
            "drop", "truncate"),
        field(
            "truncate", "The path of the string to cut.", [("type", .text("string"))],
            .text("aps.alert.body")),
        choice(
            "collapse_id_too_long", "What to do with a collapse ID that is too long.",
            "drop", "hash"),
    ]

    static let text: [Member] = [("type", .text("string")), ("minLength", .number("1"))]
    static let scalar: [Member] = [
        ("type", .array([.text("string"), .text("number")]))
    ]
    static let template: [Member] = [
        ("type", .text("string")), ("pattern", .text("\\$\\{")),
    ]

    static func template(_ path: String) -> SchemaValue { .text("${\(path)}") }

    static func either(_ one: [Member], _ other: [Member]) -> [Member] {
        [("anyOf", .array([.object(one), .object(other)]))]
    }

    static func message(_ message: [SchemaValue]) -> [Member] {
        either([("enum", .array(message))], template)
    }

    /// The first of two words is the default.
    private static func choice(
        _ name: String, _ summary: String, _ standard: String, _ other: String
    ) -> Member {
        field(
            name, summary,
            [("enum", .array([.text(standard), .text(other)])), ("default", .text(standard))],
            .text(other))
    }

    static func field(
        _ name: String, _ summary: String, _ type: [Member], _ example: SchemaValue
    ) -> Member {
        let members: [Member] =
            [("title", .text(name)), ("description", .text(summary))] + type
            + [("examples", .array([example]))]
        return (name, .object(members))
    }
}
