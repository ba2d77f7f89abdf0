/// The part of an `authorization` field that may be shown: never all of it.
enum CredentialText {
    private static let scheme = [UInt8]("bearer ".utf8)

    /// The scheme, the first characters, and the length.
    static func redacted(_ value: [UInt8]) -> String {
        guard let token = bearer(value) else { return "… (\(value.count) bytes)" }
        let head = String(decoding: token.prefix(8), as: UTF8.self)
        return token.count < 32
            ? "bearer … (\(token.count) bytes)" : "bearer \(head)… (\(token.count) bytes)"
    }

    /// The provider token; nil when there is no readable one.
    static func token(in value: [UInt8]) -> ProviderTokenText? {
        bearer(value).flatMap { ProviderTokenText($0) }
    }

    private static func bearer(_ value: [UInt8]) -> ArraySlice<UInt8>? {
        guard value.count > scheme.count,
            zip(value, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return value.dropFirst(scheme.count)
    }
}
