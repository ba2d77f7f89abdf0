/// The `apns-id` of a notification: a UUID, written in lower case, 8-4-4-4-12.
public struct NotificationID: Hashable, Sendable, BitwiseCopyable {
    /// The first eight bytes, most significant first.
    public var high: UInt64
    /// The last eight bytes, most significant first.
    public var low: UInt64

    /// Creates an identifier from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A random UUID: version 4 of RFC 9562.
    public static func random(using generator: inout some RandomNumberGenerator) -> NotificationID {
        NotificationID(
            high: generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// A random UUID from the system's generator.
    public static func random() -> NotificationID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Parses a UUID in its canonical form, upper or lower case; nil for anything else.
    @inlinable
    public init?(_ text: some Collection<UInt8>) {
        guard text.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexDigit(byte) else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(digit)
            } else {
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        self.init(high: halves.0, low: halves.1)
    }

    /// The 36 characters of the canonical form, eight in each number except four in the last one;
    /// the first is in the lowest byte.
    public var characters: (UInt64, UInt64, UInt64, UInt64, UInt64) {
        let dash = UInt64(UInt8(ascii: "-"))
        let (second, third) = (Self.digits(high), Self.digits(low >> 32))
        let fourth = Self.digits(low)
        return (
            Self.digits(high >> 32),
            dash | (second << 32) >> 24 | dash << 40 | (second >> 32) << 48,
            second >> 48 | dash << 16 | (third << 32) >> 8 | dash << 56,
            third >> 32 | fourth << 32,
            fourth >> 32
        )
    }

    /// Appends the 36 characters of the canonical form.
    public func write(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 36) { text in
            let words = characters
            Self.append(words.0, 8, to: &text)
            Self.append(words.1, 8, to: &text)
            Self.append(words.2, 8, to: &text)
            Self.append(words.3, 8, to: &text)
            Self.append(words.4, 4, to: &text)
        }
    }

    private static func append(_ word: UInt64, _ count: UInt64, to text: inout OutputSpan<UInt8>) {
        for position in 0..<count {
            text.append(UInt8(truncatingIfNeeded: word &>> (8 &* position)))
        }
    }

    /// The eight digits of the lower half of a word, the first in the lowest byte.
    private static func digits(_ word: UInt64) -> UInt64 {
        var bytes = UInt64(UInt32(truncatingIfNeeded: word).byteSwapped)
        bytes = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
        bytes = (bytes | bytes << 8) & 0x00FF_00FF_00FF_00FF
        let values = (bytes >> 4 | bytes << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return values &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }
}

extension NotificationID: CustomStringConvertible {
    /// The canonical form.
    public var description: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The hexadecimal digit of a value below 16.
func lowercaseHexDigit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}

/// The value of a hexadecimal digit; nil for other characters.
@usableFromInline
func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
