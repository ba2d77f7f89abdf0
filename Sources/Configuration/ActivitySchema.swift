/// The JSON Schema of `live_activity`.
///
/// A test compares the names with those that `Mapping` accepts.
enum ActivitySchema {
    private typealias Schema = NotificationSchema

    /// The members of the schema.
    static var members: [(name: String, value: SchemaValue)] {
        let pairs = [["stale_date", "stale_after"], ["input_push_token", "input_push_channel"]]
        return Schema.object(contents + times + looks) + [
            ("required", .array([.text("event")])),
            ("not", .object([("anyOf", .array(pairs.map(SchemaValue.requiring)))])),
        ]
    }

    static let example = SchemaValue.object([
        ("event", .text("update")),
        ("content_state", .object([("status", Schema.template("status"))])),
    ])

    private static let map = Schema.either([("type", .text("object"))], Schema.template)

    private static let contents: [Schema.Member] = [
        Schema.field(
            "event", "What happens to the activity.",
            Schema.message([.text("start"), .text("update"), .text("end")]), .text("update")),
        Schema.field(
            "timestamp", "When the content was current; defaults to the time of the event.",
            Schema.scalar, Schema.template("updated_at")),
        Schema.field(
            "content_state", "The content that changes, as the app decodes it.", map,
            .object([("status", Schema.template("status"))])),
        Schema.field(
            "attributes_type", "The name of the app's type of attributes.", Schema.text,
            .text("DeliveryAttributes")),
        Schema.field(
            "attributes", "The content that does not change, as the app decodes it.", map,
            .object([("order", Schema.template("order.id"))])),
    ]

    private static let times: [Schema.Member] = [
        Schema.field(
            "stale_date", "When the content becomes outdated.", Schema.scalar,
            Schema.template("stale_at")),
        Schema.field(
            "stale_after", "How long after the timestamp the content becomes outdated.",
            Schema.scalar, .text("5m")),
        Schema.field(
            "dismissal_date",
            "When an ended activity leaves the lock screen; 0 to remove it immediately.",
            Schema.scalar, Schema.template("dismiss_at")),
    ]

    private static let looks: [Schema.Member] = [
        Schema.field(
            "relevance_score", "Which of the app's activities is shown first: the highest.",
            Schema.either([("type", .text("number"))], Schema.template), .number("100")),
        Schema.field(
            "input_push_token", "Whether the app gets a push token for the new activity.",
            [("enum", .array([.boolean(true), .number("1")]))], .boolean(true)),
        Schema.field(
            "input_push_channel", "The broadcast channel that updates the new activity.",
            Schema.text, Schema.template("channel")),
        Schema.field(
            "alert", "The alert with which the device shows the change.",
            Schema.either([("type", .text("object"))], [("type", .text("string"))]),
            .object([("title", .text("On its way"))])),
    ]
}
