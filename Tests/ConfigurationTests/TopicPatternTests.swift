import Configuration
import Kafka
import Testing

@Suite struct `Patterns in source.topics` {
    private func findings(_ topics: String, _ changes: [String: String] = [:]) throws -> [String] {
        try Example.findings(
            changes.merging(["  topics": "  topics: \(topics)"]) { mine, _ in mine })
    }

    @Test(arguments: [
        (
            "['^shop[']",
            "'^shop[' is not a pattern: Invalid regular expression"
                + " | write a POSIX extended regular expression: '^shop\\.(orders|payments)$'"
        ),
        (
            "['^shop\\.\\d+$']",
            "'^shop\\.\\d+$' is not a pattern: '\\d' is not in POSIX's extended expressions"
                + " | write [0-9]"
        ),
        (
            "['^(?:shop|pay)']",
            "'^(?:shop|pay)' is not a pattern: '(?' is not in POSIX's extended expressions"
                + " | write '(a|b)' for a choice of two"
        ),
        (
            "['^(a+)\\1$']",
            "'^(a+)\\1$' is not a pattern: '\\1' refers to a part of what was matched"
                + " | write that part again"
        ),
        (
            "['^((a{200}){200}){200}']",
            "'^((a{200}){200}){200}' is not a pattern: it repeats more than the 249 characters that"
                + " the name of a topic may have | write a POSIX extended regular expression:"
                + " '^shop\\.(orders|payments)$'"
        ),
        (
            "['^shop orders']",
            "'^shop orders' cannot match the name of a topic"
                + " | write at most 1,000 characters of ASCII, without spaces: names of topics have"
                + " letters, digits, '.', '_' and '-'"
        ),
        (
            "['^.*offsets']",
            "'^.*offsets' also matches Kafka's own topic '__consumer_offsets'"
                + " | begin it with what the names have in common: '^shop\\..*', or with '^[^_]'"
        ),
        (
            "['shop.*']",
            "'shop.*' is not a valid topic name | name one topic; in 'source.topics' a pattern"
                + " begins with '^': '^shop\\..*'"
        ),
        ("['^shop', '^shop']", "the topic is listed twice | remove one"),
    ])
    func `are checked, and a mistake says what to write`(
        _ topics: String, _ finding: String
    ) throws {
        let found = try findings(topics)
        #expect(found.count == 1 && found.first?.hasSuffix("error: \(finding)") == true, "\(found)")
    }

    @Test(arguments: ["outcomes", "unregistered", "dead_letter"])
    func `that match a result topic would make an endless loop`(_ setting: String) throws {
        let word = setting == "dead_letter" ? "dead-letter" : setting
        let found = try findings(
            "['^shop\\..*']", ["  \(setting)": "  \(setting): shop.results"])
        #expect(found.count == 1)
        #expect(
            found.first?.hasSuffix(
                "error: '\(setting)' is a topic that 'source' reads, by the pattern '^shop\\..*':"
                    + " an endless loop | name it differently, for example"
                    + " \(setting): apns.\(word), or narrow the pattern") == true, "\(found)")
    }

    @Test func `that match everything of their own must be narrowed`() throws {
        let found = try findings("['^[^_]']")
        #expect(found.count == 3)
        #expect(
            found.allSatisfy { $0.hasSuffix("| narrow the pattern, for example to '^shop\\..*'") })
    }

    @Test func `do not match the retry topic or the replay topic`() throws {
        let retry = try findings(
            "['^shop\\..*']", ["  dead_letter": "  dead_letter: d\n  retry: shop.retry"])
        #expect(retry.contains { $0.contains("'retry' is a topic that 'source' reads") })
        let replay = try findings(
            "['^shop\\..*']", ["  group": "  group: g\n  replay: shop.replay"])
        #expect(
            replay.contains {
                $0.contains(
                    "'replay' matches '^shop\\..*' in 'source.topics' | name it differently")
            })
    }

    @Test func `need the classic protocol of groups`() throws {
        let found = try findings(
            "['^shop\\..*']",
            ["  bootstrap": "  bootstrap.servers: a:9092\n  group.protocol: consumer"])
        #expect(
            found.contains {
                $0.contains("patterns cannot be used with 'group.protocol: consumer'")
                    && $0.hasSuffix("| list the topics by name, or remove group.protocol")
            }, "\(found)")
    }

    @Test func `exclude a list of topics that the library ignores`() throws {
        let found = try findings(
            "['^shop\\..*']",
            ["  bootstrap": "  bootstrap.servers: a:9092\n  topic.blacklist: ^shop.a"])
        #expect(
            found.contains { $0.contains("patterns cannot be used with 'topic.blacklist'") },
            "\(found)")
    }

    @Test func `exclude a rate of the whole group`() throws {
        let found = try Example.findings(
            ["  topics": "  topics: ['^shop\\..*']"],
            adding: "delivery: {rate: {per_app: 300/s, of: group}}\n")
        #expect(found.contains { $0.contains("'of: group' cannot be used with a pattern") })
        let warned = try Example.findings(
            ["  topics": "  topics: ['^shop\\..*']"], adding: "delivery: {rate: {per_app: 300/s}}\n"
        )
        #expect(warned.contains { $0.contains("the rate is for all topics together") }, "\(warned)")
    }

    @Test func `may be listed together with names`() throws {
        let loaded = try Example.load(["  topics": "  topics: [pay, '^shop\\.(a|b)$']"])
        let source = try #require(loaded.connector?.source)
        #expect(loaded.diagnostics == [])
        #expect(source.topicNames == ["pay"] && source.hasPatterns)
        #expect(["pay", "shop.a", "shop.b"].allSatisfy(source.topics.matches))
        #expect(!["pays", "shop.ab", "xshop.a"].contains(where: source.topics.matches))
        #expect(source.topics.matching(["shop.b", "pay", "x", "shop.a"]) == ["shop.a", "shop.b"])
    }

    @Test(arguments: [
        (["^a"], ["^a"], "^a"), (["^a"], ["ab"], "^a"), (["ab"], ["^a"], "ab"),
        (["^a"], ["b"], nil), (["^a"], ["^b"], nil),
    ])
    func `of two connectors may have topics in common`(
        _ one: [String], _ other: [String], _ shared: String?
    ) {
        #expect(TopicSelection(one).shared(with: TopicSelection(other)) == shared)
    }
}
