internal import Kafka
internal import YAML

/// Checks a pattern of topic names in `source.topics`.
struct PatternCheck {
    let node: YAMLNode
    let findings: Findings

    /// What follows a backslash in a language other than POSIX's, and what to write instead.
    private static let foreign = ["d": "[0-9]", "D": "[^0-9]"]
    /// Topics that Kafka and its tools keep for themselves.
    private static let internalTopics = ["__consumer_offsets", "__transaction_state"]

    /// Reports an expression that is not valid, or that cannot mean what it seems to.
    func check(_ text: String) {
        let shown = node.text == text ? "'\(text)'" : "this"
        guard text.utf8.count <= 1000, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return findings.error(
                node, "\(shown) cannot match the name of a topic",
                "write at most 1,000 characters of ASCII, without spaces: names of topics have"
                    + " letters, digits, '.', '_' and '-'")
        }
        if let problem = escapeProblem(in: text) {
            return findings.error(
                node, "\(shown) is not a pattern: \(problem.message)", problem.remedy)
        }
        do {
            let pattern = try TopicPattern(text)
            guard let topic = Self.internalTopics.first(where: pattern.matches) else { return }
            findings.error(
                node, "\(shown) also matches Kafka's own topic '\(topic)'",
                "begin it with what the names have in common: '^shop\\..*', or with '^[^_]'")
        } catch {
            findings.error(
                node, "\(shown) is not a pattern: \(error.message)",
                "write a POSIX extended regular expression: '^shop\\.(orders|payments)$'")
        }
    }

    private func escapeProblem(in text: String) -> (message: String, remedy: String)? {
        if text.contains("(?") {
            return (
                "'(?' is not in POSIX's extended expressions", "write '(a|b)' for a choice of two"
            )
        }
        var isEscaped = false
        for character in text {
            defer { isEscaped = character == "\\" && !isEscaped }
            guard isEscaped, character.isLetter || character.isNumber else { continue }
            guard !"wWsSbB".contains(character) else { continue }
            if character.isNumber {
                return (
                    "'\\\(character)' refers to a part of what was matched",
                    "write that part again"
                )
            }
            let name = String(character)
            return (
                "'\\\(name)' is not in POSIX's extended expressions",
                Self.foreign[name].map { "write \($0)" } ?? "write \(name) without the backslash"
            )
        }
        return nil
    }
}

extension ConnectorBuilder {
    /// What is not possible with topics that are not listed by name.
    func checkPatterns(_ source: SourceSettings?, _ kafka: [(name: String, value: String)]?) {
        guard source?.hasPatterns == true, let topics = settings["source.topics"] else { return }
        if kafka?.last(where: { $0.name == "group.protocol" })?.value == "consumer" {
            findings.error(
                topics.node, "patterns cannot be used with 'group.protocol: consumer'",
                "list the topics by name, or remove group.protocol")
        }
        if kafka?.contains(where: { $0.name == "topic.blacklist" }) == true {
            findings.error(
                topics.node, "patterns cannot be used with 'topic.blacklist'",
                "write patterns that do not match these topics, and remove topic.blacklist")
        }
        if let owner = settings["delivery.rate.of"], owner.text == "group" {
            findings.error(
                owner.node,
                "'of: group' cannot be used with a pattern: a worker does not know how many"
                    + " partitions the topics of the others have",
                "list the topics by name, or write of: worker")
        }
    }
}
