import Testing

@Suite struct `A name in the code` {
    /// Metaphors and words of our own, and what the field says instead.
    private static let banned: [(pattern: String, instead: String)] = [
        (#"\b[Pp]laces?\b"#, "write offset, slot, index, position, or location (of a file)"),
        (#"\b(?!inPlace\b)\w+[a-z]Places?\b"#, "write offset, slot, index, position or location"),
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
        (#"\bSideBySide\b|\bForgotten\b"#, "write what it does or contains"),
        (
            #"\b(isSaid|isWornOut|isReluctant|isTryingAgain|isFarAway|restEnds|lineUp)\b"#,
            "write what the state or the step is"
        ),
        (#"\b(ScarceMemory|LoneProducer|goodLife|limitLife)\b"#, "write what it is"),
        (#"\b[Aa]nswer|[a-z]Answer"#, "write response (APNs, HTTP), reply (Kafka) or result"),
        (#"\b[Tt]old\b|\b[Tt]ells?\b"#, "write report, notify, ask or distinguish"),
        (#"\b[Hh](ear|ears|eard)\b|\bhear[A-Z]\w*"#, "write receive, handle or notify"),
        (#"\brest\(\)|\bfunc rest\(_"#, "write cancel, wait or pause; the rest of a text is one"),
    ]

    /// Words without an honest use, also in comments, in the names of tests and in prose. `fate` is
    /// a published field of the simulator.
    private static let bannedInProse: [(pattern: String, instead: String)] = [
        (#"\b[Ll]en(ds?|t|ding)\b|Lent\b|\blent[A-Z]"#, "write pass, borrow or call with"),
        (#"\b[Gg](ives?|ave|iven|iving) way\b"#, "write is superseded"),
        (#"(^|[^\w"-])[Ff]ates?($|[^\w"-])"#, "write state, decision or ending"),
        (#"\b[Cc]ulprits?\b"#, "write what it is: the field, the push, the file"),
        (#"\bin vain\b"#, "write without result, or leave it out"),
        (#"\b[Pp]atience\b|\bPATIENCE\b"#, "write timeout"),
        (#"\btold apart\b|\b(be|is|are) told from\b"#, "write distinguish"),
        (#"\b(is|are|was|were) told to\b"#, "write asked to, or say who does it"),
    ]

    @Test(arguments: banned.map(\.pattern))
    func `is the term of the field`(pattern: String) throws {
        let instead = try #require(Self.banned.first { $0.pattern == pattern }).instead
        expectNone(Repository.swift.flatMap { $0.offences(pattern, instead) })
    }

    /// Published names and messages stay as they are.
    @Test(arguments: bannedInProse.map(\.pattern))
    func `and in prose, too`(pattern: String) throws {
        let instead = try #require(Self.bannedInProse.first { $0.pattern == pattern }).instead
        let line = try LinePattern(pattern)
        let texts = Repository.texts.filter { path in
            (path.hasSuffix(".swift") || path.hasSuffix(".md") || path.hasSuffix(".py"))
                && path != "Tests/RepositoryTests/NameTests.swift" && path != "CHANGELOG.md"
        }
        #expect(texts.count > 1000)
        var found: [String] = []
        for path in texts {
            guard let text = try? Repository.text(path), line.mayMatch(aLineOf: text) else {
                continue
            }
            for (index, each) in text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated() where line.matches(each)
            {
                found.append("\(path):\(index + 1): \(instead): \(each.prefix(80))")
            }
        }
        expectNone(found)
    }
}
