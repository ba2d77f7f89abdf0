internal import Mapping
internal import YAML

/// The text of a connector file, for finding the template of a field.
struct ConnectorSource {
    /// What can be written instead of a field.
    private static let alternatives = ["expiration": "ttl", "device_token": "device_tokens"]

    private let root: YAMLNode?

    init(bytes: [UInt8], file: String) {
        root = bytes.isEmpty ? nil : YAMLDocument.read(bytes: bytes, file: file).root
    }

    /// A mismatch with an explanation, if templates used a fallback.
    func explained(_ mismatch: TestMismatch, _ output: TestOutput) -> TestMismatch {
        guard let field = mismatch.field, output.blocks.indices.contains(field.request),
            let node = node(of: field, block: output.blocks[field.request])
        else { return mismatch }
        var mismatch = mismatch
        for fallback in output.fallbacks {
            let location = SourceLocation(
                line: fallback.location.line, column: fallback.location.column)
            guard location >= node.location, location < node.endLocation else { continue }
            let absent = fallback.absent.joined(separator: " and no ")
            mismatch.remarks.append("because \(fallback.written) found no \(absent)")
        }
        return mismatch
    }

    /// The value of a field, if the file contains one for it.
    private func node(of field: TestField, block: Int) -> YAMLNode? {
        var node = root?["notification"]
        if node == nil, let blocks = root?["notifications"]?.elements,
            blocks.indices.contains(block)
        {
            node = blocks[block]
        }
        var isInside = false
        for step in field.steps {
            guard let current = node else { return nil }
            switch (step, current.kind) {
            case (_, .scalar): return isInside ? current : nil
            case (.member(let name), .mapping):
                node = current[name] ?? Self.alternatives[name].flatMap { current[$0] }
            case (.element(let index), .sequence(let elements)):
                node = elements.indices.contains(index) ? elements[index] : nil
            default: return nil
            }
            isInside = true
        }
        return node
    }
}
