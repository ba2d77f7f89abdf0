/// What may happen to a Live Activity: one of these for each push.
struct ActivityEvents: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    static let start = Self(rawValue: 1)
    static let update = Self(rawValue: 2)
    static let end = Self(rawValue: 4)
    static let all: Self = [.start, .update, .end]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The event with this name in payloads; none for any other text.
    init(name: ArraySlice<UInt8>) {
        self = Self.names.first { $0.name.utf8.elementsEqual(name) }?.event ?? []
    }

    /// Its name, or their names, such as `start`.
    var message: String {
        Self.names.filter { contains($0.event) }.map(\.name).joined(separator: " or ")
    }

    private static let names: [(name: String, event: Self)] = [
        ("start", .start), ("update", .update), ("end", .end),
    ]
}
