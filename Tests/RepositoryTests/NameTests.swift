import Testing

@Suite struct `A name in the code` {
    /// Metaphors and words of our own, and what the field says instead.
    private static let banned: [(pattern: String, instead: String)] = [
        (#"\b[Pp]laces?\b"#, "write offset, slot, index, position, or location (of a file)"),
        (#"\b(?!inPlace\b)\w+[a-z]Places?\b"#, "write offset, slot, index, position or location"),
        (#"[Pp]atience\b"#, "write timeout"),
        (#"\b(most|longest)[A-Z]\w*"#, "write max..."),
        (#"\b(fewest|shortest)[A-Z]\w*"#, "write min..."),
        (#"\b(longest|shortest|fewest)\b"#, "write maximum or minimum"),
        (#"\bobey\b|\bhearLibrary\b|\bsteerFlow\b"#, "write handle, forward or apply"),
        (#"\b[Bb]irth|Birth"#, "write sequence"),
        (#"\b[Ff]arewell|\bClientNews\b|\b[Bb]ell\b"#, "write goAway, event or wakeup"),
        (#"\b[Dd]esks?\b|[a-z]Desk\b"#, "write routes or controller; in tests, harness"),
        (#"\b[Nn]ews\b|[a-z]News\b"#, "write event or change"),
        (#"\b[Ff]ortune\b|\bMadeUp\w+"#, "write random or sample"),
        (#"\bgiveUp\b"#, "write endUndelivered, release or expire"),
        (#"\bSideBySide\b|\bForgotten\b|\bpatience\b"#, "write what it does or contains"),
        (
            #"\b(isSaid|isWornOut|isReluctant|isTryingAgain|isFarAway|restEnds|lineUp)\b"#,
            "write what the state or the step is"
        ),
        (#"\b(ScarceMemory|LoneProducer|goodLife|limitLife)\b"#, "write what it is"),
        (#"\b[Aa]nswer|[a-z]Answer"#, "write response (APNs, HTTP), reply (Kafka) or result"),
    ]

    @Test(arguments: banned.map(\.pattern))
    func `is the term of the field`(pattern: String) throws {
        let instead = try #require(Self.banned.first { $0.pattern == pattern }).instead
        expectNone(Repository.swift.flatMap { $0.offences(pattern, instead) })
    }
}
