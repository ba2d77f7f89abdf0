/// Names an app by its place among the apps of the connector.
package struct AppID: Hashable, Sendable, BitwiseCopyable {
    private let number: Int16

    /// No app could be chosen for a push, so that it is dropped.
    package static let none = AppID(-1)

    /// Names the app at a place; any negative place is ``none``.
    package init(_ index: Int) { number = Int16(max(-1, index)) }

    /// The place of the app; -1 for ``none``.
    package var index: Int { Int(number) }
}
