internal import JSON
internal import Spelling

/// Checks of canonical events against their schemas.
extension PlanBuilder {
    /// The fields of which an event has one: they say where its notification goes.
    private static var destinations: [String] { ["device_token", "device_tokens", "channel_id"] }

    /// The fields of canonical events, and what each takes.
    private static var canonicalFields: [(name: String, wanted: WantedKinds)] {
        [
            ("device_token", .text), ("device_tokens", .tokens), ("channel_id", .text),
            ("push_type", .text), ("priority", .text), ("collapse_id", .text),
            ("expiration", .time), ("ttl", .text), ("event_time", .time), ("bundle_id", .text),
            ("apns_id", .text), ("environment", .text), ("payload", .members),
        ]
    }

    /// Checks that canonical events can have the fields that a push needs. No template names them,
    /// so problems are reported where the file names the format of events.
    mutating func checkCanonicalShape(at location: MappingLocation?) {
        guard let shape, let location else { return }
        require(oneOf: Self.destinations, at: location)
        require(oneOf: ["payload"], at: location)
        for (name, wanted) in Self.canonicalFields {
            let kinds = shape.shape.kinds(of: shape.shape.member(name, of: shape.event))
                .subtracting(.null)
            guard kinds != [], kinds.isDisjoint(with: wanted.kinds) else { continue }
            error(
                location, "'\(name)' is \(kinds.name) in the schema, not \(wanted.message)",
                name == "payload" && kinds == .string
                    ? "write a 'notification' with payload: ${payload | parse}"
                    : "write a 'notification' that takes it from another member")
        }
    }

    /// Reports that the schema has none of some fields.
    private mutating func require(oneOf names: [String], at location: MappingLocation) {
        guard let shape,
            names.allSatisfy({ shape.shape.member($0, of: shape.event).isEmpty })
        else { return }
        let known = shape.shape.names(of: shape.event)
        let near = names.lazy.compactMap { Suggestion.nearest(to: $0, among: known) }.first
        let list = names.map { "'\($0)'" }.joined(separator: " or ")
        error(
            location,
            "events have no \(list) in the schema, and the connector has no 'notification'",
            "write a 'notification' with \(names[0]): ${\(near ?? "path.to.it")}")
    }
}
