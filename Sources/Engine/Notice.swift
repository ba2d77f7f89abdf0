/// A log message for the operator.
package struct Notice: Sendable {
    /// Its severity.
    package enum Level: Sendable { case trace, debug, info, warning, error }

    /// The value of a field.
    package enum Value: Equatable, Sendable, ExpressibleByStringInterpolation {
        /// A string.
        case text(String)
        /// An integer.
        case number(Int)
        /// A list of strings.
        case list([String])

        /// A string.
        package init(stringLiteral text: String) { self = .text(text) }
    }

    /// A field and its value.
    package typealias Field = (name: String, value: Value)

    /// Its severity.
    package var level: Level
    /// What happened, or the current state.
    package var message: String
    /// Its fields.
    package var fields: [Field]

    init(_ level: Level, _ message: String, _ fields: [Field] = []) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}
