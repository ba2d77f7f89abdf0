import YAML

/// Reads a text; each problem as `line:column: message | remedy`.
func problems(_ text: String) -> [String] {
    problems(bytes: Array(text.utf8))
}

func problems(bytes: [UInt8]) -> [String] {
    YAMLDocument.read(bytes: bytes, file: "a.yaml").problems.map { problem in
        "\(problem.location.line):\(problem.location.column): \(problem.message)"
            + (problem.remedy.map { " | \($0)" } ?? "")
    }
}

/// The texts of the scalars of a node, keys included, in the order of the file.
func scalars(_ node: YAMLNode) -> [String] {
    switch node.kind {
    case .scalar(let text, _): [text]
    case .sequence(let elements): elements.flatMap(scalars)
    case .mapping(let entries): entries.flatMap { scalars($0.key) + scalars($0.value) }
    }
}
