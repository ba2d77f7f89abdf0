internal import Encoding

/// One broadcast channel of an app.
public struct BroadcastChannel: Equatable, Sendable {
    /// The app's bundle identifier.
    public let app: String
    /// The channel ID, in base64.
    public let identifier: String
    /// It stores the latest push for later subscribers.
    public let storesLatest: Bool
    /// When it was created, in milliseconds since 1970.
    public let madeAt: Int64
    /// The number of pushes broadcast to it.
    public internal(set) var broadcasts = 0
    /// When the last push was broadcast, in milliseconds since 1970.
    public internal(set) var lastBroadcastAt: Int64?

    init(app: String, identifier: String, storesLatest: Bool, madeAt: Int64) {
        self.app = app
        self.identifier = identifier
        self.storesLatest = storesLatest
        self.madeAt = madeAt
    }

    /// Sixteen random bytes in base64.
    static func newIdentifier(using generator: inout SeededGenerator) -> [UInt8] {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
        return Base64.standard.encode(bytes)
    }

    /// Whether a string is base64 that may be a channel ID.
    static func isIdentifier(_ text: [UInt8]) -> Bool {
        text.count <= 128 && text.count % 4 == 0 && Base64.standard.isText(text)
    }

    /// Whether a channel ID may begin with a string.
    static func isBeginning(_ text: [UInt8]) -> Bool {
        text.count <= 128
            && text.allSatisfy { $0 == UInt8(ascii: "=") || Base64.standard.value(of: $0) != nil }
    }
}
