/// The librdkafka properties that a user set, in order.
public struct KafkaProperties: Sendable {
    /// One property.
    public struct Property: Equatable, Sendable {
        /// Its name, for example `bootstrap.servers`.
        public var name: String
        /// Its value as a string.
        public var value: String

        /// Creates a property.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What is wrong with one property.
    public struct Problem: Equatable, Sendable {
        /// The property; empty when several of them conflict.
        public var name: String
        /// What is wrong, and what to write instead.
        public var message: String

        /// Describes a problem.
        public init(name: String, message: String) {
            self.name = name
            self.message = message
        }
    }

    /// All of them, in order.
    public var all: [Property]
    /// What clients log in with, if that is not one of the properties.
    public var tokens: LoginTokens?

    /// Creates the list from properties in order.
    public init(_ properties: [(name: String, value: String)] = []) {
        all = properties.map { Property(name: $0.name, value: $0.value) }
    }

    /// The last value of a property; setting it replaces every earlier one, nil removes it.
    public subscript(_ name: String) -> String? {
        get { all.last { $0.name == name }?.value }
        set {
            all.removeAll { $0.name == name }
            if let newValue { all.append(Property(name: name, value: newValue)) }
        }
    }

    /// True when any of these names is set: a property and its aliases.
    func sets(_ names: String...) -> Bool {
        all.contains { names.contains($0.name) }
    }
}

extension KafkaProperties: Equatable {
    /// Whether the properties and the login are the same.
    public static func == (one: KafkaProperties, other: KafkaProperties) -> Bool {
        one.all == other.all && one.tokens === other.tokens
    }
}

extension KafkaProperties: ExpressibleByDictionaryLiteral {
    /// Creates the list from properties in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        all = elements.map { Property(name: $0.0, value: $0.1) }
    }
}
