/// One broadcast channel of an app.
public struct BroadcastChannel: Equatable, Sendable {
    /// The app's bundle identifier.
    public let app: String
    /// The identifier, in base64.
    public let identifier: String
    /// It keeps the latest push for those who subscribe later.
    public let storesLatest: Bool
    /// When it was made, in milliseconds since 1970.
    public let madeAt: Int64
    /// How many pushes were broadcast to it.
    public internal(set) var broadcasts = 0
    /// When the last push was broadcast to it, in milliseconds since 1970.
    public internal(set) var lastBroadcastAt: Int64?

    init(app: String, identifier: String, storesLatest: Bool, madeAt: Int64) {
        self.app = app
        self.identifier = identifier
        self.storesLatest = storesLatest
        self.madeAt = madeAt
    }

    /// Sixteen random bytes in base64.
    static func newIdentifier() -> [UInt8] {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for _ in 0..<16 {
            bits = bits << 8 | UInt32(UInt8.random(in: 0 ... .max))
            count += 8
            while count >= 6 {
                count -= 6
                text.append(Self.alphabet[Int(bits >> count & 63)])
            }
        }
        text.append(Self.alphabet[Int(bits << (6 - count) & 63)])
        return text + [UInt8](repeating: Self.padding, count: 2)
    }

    /// Whether a text is base64 that could name a channel.
    static func isIdentifier(_ text: [UInt8]) -> Bool {
        guard !text.isEmpty, text.count <= 128, text.count % 4 == 0 else { return false }
        let digits = text.prefix { $0 != Self.padding }
        return text.count - digits.count <= 2 && digits.allSatisfy(Self.alphabet.contains)
            && text[digits.count...].allSatisfy { $0 == Self.padding }
    }

    /// Whether an identifier may begin with a text.
    static func isBeginning(_ text: [UInt8]) -> Bool {
        text.count <= 128 && text.allSatisfy { $0 == padding || alphabet.contains($0) }
    }

    private static let padding = UInt8(ascii: "=")
    private static let alphabet = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
