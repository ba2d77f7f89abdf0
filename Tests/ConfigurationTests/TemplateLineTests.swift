import Testing

/// Findings of a connector whose payload has this line, the 17th, 4 spaces from the left.
private func findings(_ line: String) throws -> [String] {
    try Example.findings([
        "  payload": "  payload:\n    aps: {badge: 1}\n    \(line)"
    ])
}

@Suite struct `A template in a line of YAML` {
    @Test func `after a number sign is a comment, and an error`() throws {
        #expect(
            try findings("title: Order #${id}") == [
                "17:18: error: '#${id}' is a YAML comment, not text"
                    + " | quote the text: \"Order #${id}\""
            ])
    }

    @Test(arguments: [
        ("t: ${name}: hi", 15, "\"${name}: hi\""),
        ("t: ${a ?? \"x: y\"}", 17, "'${a ?? \"x: y\"}'"),
    ])
    func `with a colon requires quotation marks`(
        _ line: String, _ column: Int, _ quoted: String
    ) throws {
        #expect(
            try findings(line) == [
                "17:\(column): error: ': ' inside an unquoted value | quote the whole text:"
                    + " \(quoted)"
            ])
    }

    @Test(arguments: [("x: {y: ${a}}", 12), ("x: [${a}]", 9)])
    func `in brackets requires quotation marks`(_ line: String, _ column: Int) throws {
        #expect(
            try findings(line) == [
                "17:\(column): error: unquoted '${' inside { } or [ ]"
                    + " | quote \"${a}\" inside { } and [ ]"
            ])
    }

    @Test(arguments: [
        (#"t: "${a ?? 'it\'s'}""#, ["17:19: error: an unknown YAML escape"]),
        (#"t: "${a ?? 'it\\'s'}""#, []), (#"t: '${a ?? "b"}'"#, []),
        (#"t: "x ${a ??}""#, ["17:17: error: expected a value after '??'"]),
        (#"t: x ${a ??}"#, ["17:16: error: expected a value after '??'"]),
        (#"t: '${a | uper}'"#, ["17:15: error: unknown transform"]),
    ])
    func `is reported with its own column`(_ line: String, _ expected: [String]) throws {
        let found = try findings(line)
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
    }

    @Test func `that is unknown to this product is explained`() throws {
        #expect(
            try findings("t: \"${VAR:-d}\"") == [
                "17:9: error: unknown source 'VAR:': only 'env:' and 'file:' are available"
                    + " | for an environment variable write ${env:VAR ?? \"d\"}"
            ])
        #expect(
            try findings("t: ${created | date(\"%H:%M\", \"Europe/Berln\")}").first
                == "17:34: error: unknown time zone 'Europe/Berln' | did you mean 'Europe/Berlin'?")
    }
}
