internal import YAML

/// A validated value of the connector file, with its position.
struct Setting {
    enum Value {
        case text(String)
        case boolean(Bool)
        case integer(Int)
        case number(Double)
        case duration(Duration)
        case rate(PushRate)
        case texts([(text: String, node: YAMLNode)])
        case properties([Property])
        /// Read by `Mapping`.
        case tree
        /// It is set, but its value is unknown here.
        case unknown
    }

    /// A librdkafka property.
    struct Property {
        var name: String
        var value: String
        /// True when the value must not be shown.
        var isSecret: Bool
        var key: YAMLNode
        var node: YAMLNode
    }

    var value: Value
    var key: YAMLNode
    var node: YAMLNode
    /// True when part of it came from outside the file, and must not be shown.
    var isSecret = false
}

extension Setting {
    /// The value, if it is a string.
    var text: String? {
        if case .text(let text) = value { text } else { nil }
    }

    /// The strings as written, if their values are unknown here.
    var standIns: [String] {
        guard case .unknown = value else { return [] }
        return node.elements?.compactMap(\.text) ?? [node.text ?? ""]
    }
}
