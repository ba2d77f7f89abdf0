/// Something that an operator should read, for the log.
package struct Notice: Equatable, Sendable {
    /// How urgent it is.
    package enum Level: Sendable { case info, warning, error }

    /// The value of a field.
    package enum Value: Equatable, Sendable, ExpressibleByStringInterpolation {
        /// A text.
        case text(String)
        /// A whole number.
        case number(Int)
        /// Several texts.
        case list([String])

        /// A text.
        package init(stringLiteral text: String) { self = .text(text) }
    }

    /// A field and its value.
    package typealias Field = (name: String, value: Value)

    /// How urgent it is.
    package var level: Level
    /// What happened, or what is the case.
    package var message: String
    /// The values that belong to it.
    package var fields: [Field]

    init(_ level: Level, _ message: String, _ fields: [Field] = []) {
        self.level = level
        self.message = message
        self.fields = fields
    }

    /// Two notices that say the same, whatever their fields.
    package static func == (left: Notice, right: Notice) -> Bool {
        left.level == right.level && left.message == right.message
    }
}
