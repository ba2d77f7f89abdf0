internal import YAML

/// The syntax of topic names in Kafka.
enum TopicName {
    /// Reports a string that is not a valid topic name.
    static func check(_ name: String, _ node: YAMLNode, _ findings: Findings) {
        let isNameable = name.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0))
        }
        guard !isNameable || name.isEmpty || name.utf8.count > 249 || name == "." || name == ".."
        else { return }
        let shown = node.text != name ? "this" : "'\(name)'"
        let remedy =
            switch name {
            case _ where name.hasPrefix("^"): "name one topic: only 'source.topics' has patterns"
            case _ where name.contains("*"):
                "name one topic; in 'source.topics' a pattern begins with '^': '^shop\\..*'"
            default: "write 1 to 249 letters, digits, '.', '_' and '-'"
            }
        findings.error(node, "\(shown) is not a valid topic name", remedy)
    }
}
