/// Identifies an app by its index among the connector's apps.
package struct AppID: Hashable, Sendable, BitwiseCopyable {
    private let number: Int16

    /// No app matches the push, which is dropped.
    package static let none = AppID(-1)

    /// Creates an ID from an index; any negative index is ``none``.
    package init(_ index: Int) { number = Int16(max(-1, index)) }

    /// The index of the app; -1 for ``none``.
    package var index: Int { Int(number) }
}
