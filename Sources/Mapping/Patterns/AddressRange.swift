internal import Encoding

/// An IP address; IPv4 is stored as the last 32 bits of an IPv4-mapped address (RFC 4291).
struct Address: Hashable, Sendable, BitwiseCopyable {
    var bits: UInt128

    /// True for IPv4, including `::ffff:10.0.0.1`.
    var isVersion4: Bool { bits >> 32 == 0xFFFF }

    /// Parses an address in the notation of RFC 4291; nil when the range contains none.
    init?(_ text: [UInt8], from start: Int, to end: Int) {
        guard start < end, end - start <= 45 else { return nil }
        if let address = Self.version4(text, start, end) {
            bits = 0xFFFF << 32 | UInt128(address)
        } else if let address = Self.version6(text, start, end) {
            bits = address
        } else {
            return nil
        }
    }

    /// Four numbers up to 255 without leading zeros, which some parsers read as octal.
    private static func version4(_ text: [UInt8], _ start: Int, _ end: Int) -> UInt32? {
        var address: UInt32 = 0
        var (part, digits, parts) = (UInt32(0), 0, 0)
        for index in start...end {
            guard index < end, text[index] != UInt8(ascii: ".") else {
                guard digits > 0, part < 256 else { return nil }
                address = address << 8 | part
                (part, digits) = (0, 0)
                parts += 1
                guard parts <= 4 else { return nil }
                continue
            }
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10, digits < 3, digits == 0 || part > 0 else { return nil }
            part = part * 10 + UInt32(digit)
            digits += 1
        }
        return parts == 4 ? address : nil
    }

    /// Groups of hexadecimal digits; a single `::` stands for all missing groups.
    private static func version6(_ text: [UInt8], _ start: Int, _ end: Int) -> UInt128? {
        var (head, tail) = (Groups(), Groups())
        var hasGap = false
        var index = start
        if index + 1 < end, text[index] == colon, text[index + 1] == colon {
            hasGap = true
            index += 2
        }
        while index < end {
            var stop = index
            while stop < end, text[stop] != colon { stop += 1 }
            let isLast = stop == end
            let isTaken =
                hasGap
                ? tail.take(text, index, stop, isLast: isLast)
                : head.take(text, index, stop, isLast: isLast)
            guard isTaken else { return nil }
            index = stop
            if isLast { break }
            index += 1
            guard index < end else { return nil }
            if text[index] == colon {
                guard !hasGap else { return nil }
                hasGap = true
                index += 1
            }
        }
        let count = head.count + tail.count
        guard hasGap ? count < 8 : count == 8 else { return nil }
        let high = head.count == 0 ? 0 : head.bits << UInt128(16 * (8 - head.count))
        return high | tail.bits
    }

    private static var colon: UInt8 { UInt8(ascii: ":") }

    private struct Groups {
        var bits: UInt128 = 0
        var count = 0

        /// Parses one group, or an IPv4 address at the end of the string.
        mutating func take(_ text: [UInt8], _ start: Int, _ end: Int, isLast: Bool) -> Bool {
            if isLast, let address = Address.version4(text, start, end) {
                bits = bits << 32 | UInt128(address)
                count += 2
                return count <= 8
            }
            guard start < end, end - start <= 4 else { return false }
            var group: UInt128 = 0
            for index in start..<end {
                guard let digit = Character(Unicode.Scalar(text[index])).hexDigitValue else {
                    return false
                }
                group = group << 4 | UInt128(digit)
            }
            bits = bits << 16 | group
            count += 1
            return count <= 8
        }
    }
}

/// All IP addresses of one version with the same prefix.
struct AddressRange: Sendable, BitwiseCopyable {
    private var first: Address
    private var last: Address

    /// What is wrong with a range, and what to write instead.
    struct Fault: Error {
        var message: String
        var remedy: String
    }

    /// True when the address before the `/` has bits set after the prefix.
    private(set) var hasLooseBits = false

    /// Parses a range such as `10.0.0.0/8` or `2001:db8::/32`.
    init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        let slash = bytes.firstIndex(of: UInt8(ascii: "/"))
        guard let address = Address(bytes, from: 0, to: slash ?? bytes.count) else {
            throw Fault(
                message: "'\(text)' is not a range of IP addresses",
                remedy: "write 10.0.0.0/8 or 2001:db8::/32")
        }
        let isShort = !bytes.prefix(slash ?? bytes.count).contains(UInt8(ascii: ":"))
        let width = isShort ? 32 : 128
        guard let slash else {
            throw Fault(
                message: "'\(text)' is a single address, not a range",
                remedy: "write \(text)/\(width)")
        }
        let count = String(decoding: bytes[(slash + 1)...], as: UTF8.self)
        guard count.utf8.allSatisfy(\.isDigit), let fixed = Int(count),
            fixed <= width
        else {
            throw Fault(
                message: "'/\(count)' is not a valid prefix length",
                remedy: "write 0 to \(width) after the '/'")
        }
        let free = width - fixed
        let mask = free == 128 ? UInt128.max : (1 << UInt128(free)) - 1
        (first, last) = (address, address)
        first.bits &= ~mask
        last.bits |= mask
        hasLooseBits = first != address
    }

    /// True when an address is in the range and of the same version.
    func contains(_ address: Address) -> Bool {
        address.isVersion4 == (first.isVersion4 && last.isVersion4)
            && first.bits <= address.bits && address.bits <= last.bits
    }
}
