internal import Spelling
internal import YAML

/// What is legal and unwise.
extension ConnectorBuilder {
    /// Warns of notifications without an end: Apple keeps them for up to 30 days.
    func adviseOnExpiration() {
        if let setting = settings["notification"] {
            adviseOnExpiration(of: setting.node, at: setting.key)
        }
        for block in settings["notifications"]?.node.elements ?? [] {
            adviseOnExpiration(of: block, at: block.entries?.first?.key ?? block)
        }
    }

    private func adviseOnExpiration(of block: YAMLNode, at place: YAMLNode) {
        let names = (block.entries ?? []).compactMap(\.key.text)
        // What is misspelt is another finding, and a pushtotalk push is never kept.
        let words = ["expiration", "ttl"]
        let isWritten = names.contains { Suggestion.nearest(to: $0, among: words) != nil }
        guard !names.isEmpty, !isWritten, block["push_type"]?.text != "pushtotalk" else { return }
        findings.warning(
            place, "without 'expiration' or 'ttl', a push may arrive up to 30 days late",
            "write ttl: 4h, or expiration: 0 for a single attempt")
    }
}
