internal import YAML

/// A checked value of the connector file, with the place where it is written.
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
        /// What `Mapping` reads.
        case tree
        /// It is written, but its value is not known here.
        case unknown
    }

    /// A property for librdkafka.
    struct Property {
        var name: String
        var value: String
        /// True when the value is not to be shown.
        var isSecret: Bool
        var key: YAMLNode
        var node: YAMLNode
    }

    var value: Value
    var key: YAMLNode
    var node: YAMLNode
    /// True when something in it came from outside the file, and is not to be shown.
    var isSecret = false
}

extension Setting {
    /// The value, if it is text.
    var text: String? {
        if case .text(let text) = value { text } else { nil }
    }

    /// The texts as they are written, where their values are not known here.
    var standIns: [String] {
        guard case .unknown = value else { return [] }
        return node.elements?.compactMap(\.text) ?? [node.text ?? ""]
    }
}
