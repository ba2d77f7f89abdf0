/// The few elements that are read of the responses of STS.
enum AWSXML {
    /// The text of the first element with a name; nil when there is none.
    static func text(of name: String, in document: String) -> String? {
        guard let start = document.firstRange(of: "<\(name)>") else { return nil }
        let rest = document[start.upperBound...]
        guard let end = rest.firstRange(of: "</\(name)>") else { return nil }
        let text = rest[..<end.lowerBound]
        guard !text.contains("<") else { return nil }
        return decoded(text)
    }

    private static let entities: [(name: String, character: String)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"),
        ("&#34;", "\""), ("&#xA;", "\n"), ("&#10;", "\n"), ("&amp;", "&"),
    ]

    private static func decoded(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let entity = entities.first { rest.hasPrefix($0.name) }
            result += entity?.character ?? "&"
            rest = rest.dropFirst(entity?.name.count ?? 1)
        }
        return result + rest
    }
}
