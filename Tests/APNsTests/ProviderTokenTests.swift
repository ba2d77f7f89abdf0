import Encoding
import TLS
import Testing

@testable import APNs

@Suite struct `A provider token` {
    static func tokens() throws -> (ProviderTokens, SigningKey) {
        let key = try SigningKey.generate()
        return (ProviderTokens(key: key, keyID: "ABC123DEFG", teamID: "DEF123GHIJ"), key)
    }

    /// 2026-01-01 12:00:00 UTC, a half hour of the clock.
    static let noon: Int64 = 1_767_268_800

    @Test func `is signed so that the public key verifies it`() throws {
        let (tokens, key) = try Self.tokens()
        let token = try tokens.token(wallClock: Self.noon * 1000)
        let text = String(decoding: token.bytes, as: UTF8.self)
        #expect(text.hasPrefix("bearer "))
        let parts = text.dropFirst(7).split(separator: ".").map { [UInt8]($0.utf8) }
        try #require(parts.count == 3)
        let signature = try #require(Base64.url.decode(parts[2]))
        #expect(signature.count == 64)
        let signed = parts[0] + [UInt8(ascii: ".")] + parts[1]
        #expect(try key.publicKey.verify(signed, signature: signature))
    }

    @Test func `names algorithm, key, team and time, and nothing else`() throws {
        let (tokens, _) = try Self.tokens()
        let token = try tokens.token(wallClock: (Self.noon + 60) * 1000)
        let parts = String(decoding: token.bytes, as: UTF8.self).dropFirst(7)
            .split(separator: ".").map { Base64.url.decode([UInt8]($0.utf8)) ?? [] }
        try #require(parts.count == 3)
        #expect(
            String(decoding: parts[0], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(
            String(decoding: parts[1], as: UTF8.self)
                == #"{"iss":"DEF123GHIJ","iat":1767268800}"#)
    }

    @Test(arguments: [
        (0, -1800), (59, -1800), (60, 0), (61, 0), (1859, 0), (1860, 1800),
    ])
    func `is issued at the last half hour, with a minute of tolerance`(
        _ after: Int64, _ wanted: Int64
    ) {
        let issuedAt = ProviderToken.issueTime(wallClock: (Self.noon + after) * 1000)
        #expect(issuedAt - Self.noon == wanted)
    }

    @Test func `is signed once per half hour`() throws {
        let (tokens, _) = try Self.tokens()
        let first = try tokens.token(wallClock: (Self.noon + 60) * 1000)
        let last = try tokens.token(wallClock: (Self.noon + 1859) * 1000 + 999)
        #expect(first == last)
        let next = try tokens.token(wallClock: (Self.noon + 1860) * 1000)
        #expect(next.issuedAt == Self.noon + 1800)
        #expect(next.bytes != first.bytes)
    }

    @Test func `is not signed again for a thread whose clock is a little behind`() throws {
        let (tokens, _) = try Self.tokens()
        let new = try tokens.token(wallClock: (Self.noon + 60) * 1000)
        #expect(try tokens.token(wallClock: (Self.noon + 60) * 1000 - 1) == new)
    }

    @Test func `is never from the future after the clock was set back`() throws {
        let (tokens, _) = try Self.tokens()
        _ = try tokens.token(wallClock: (Self.noon + 60) * 1000)
        let token = try tokens.token(wallClock: (Self.noon - 3600) * 1000)
        #expect(token.issuedAt == Self.noon - 5400)
    }
}
