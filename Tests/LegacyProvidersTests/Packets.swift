import LegacyProviders

/// What legacy providers send, put together byte by byte.
enum Packets {
    static let token = [UInt8](repeating: 0xAB, count: 32)
    static let payload = [UInt8](#"{"aps":{"alert":"Hello"}}"#.utf8)

    static func half(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }

    static func word(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func simple(_ payload: [UInt8] = payload, token: [UInt8] = token) -> [UInt8] {
        [0] + half(token.count) + token + half(payload.count) + payload
    }

    static func enhanced(
        _ identifier: UInt32, expiry: UInt32 = 0, _ payload: [UInt8] = payload,
        token: [UInt8] = token
    ) -> [UInt8] {
        [1] + word(identifier) + word(expiry) + simple(payload, token: token).dropFirst()
    }

    static func item(_ number: UInt8, _ data: [UInt8]) -> [UInt8] {
        [number] + half(data.count) + data
    }

    static func frame(_ items: [UInt8]...) -> [UInt8] {
        let all = items.flatMap { $0 }
        return [2] + word(UInt32(all.count)) + all
    }

    /// A frame without an identifier.
    static let nameless = frame(item(1, token), item(2, payload))

    /// A frame with all five items.
    static func whole(
        _ identifier: UInt32, _ payload: [UInt8] = payload, priority: UInt8 = 10
    ) -> [UInt8] {
        frame(
            item(1, token), item(2, payload), item(3, word(identifier)), item(4, word(7)),
            item(5, [priority]))
    }
}

extension PacketReader {
    /// Everything that a reader finds in some bytes.
    mutating func read(_ bytes: [UInt8]) -> [Finding] {
        unsafe receive(bytes.span.bytes)
        var findings: [Finding] = []
        while let finding = next() { findings.append(finding) }
        return findings
    }
}
