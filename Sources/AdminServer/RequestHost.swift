internal import Encoding
internal import Glibc

/// The host of a `Host` field, without its port.
struct RequestHost {
    /// A name in lower case, or an address; one of IPv6 is in brackets.
    let text: String
    /// True for an address: it cannot be made to mean another machine.
    let isAddress: Bool

    /// Nil for what is neither a name nor an address, with a port or without one.
    init?(_ field: String) {
        let field = field.lowercased()
        let isInBrackets = field.hasPrefix("[")
        let end = field.firstIndex(of: isInBrackets ? "]" : ":") ?? field.endIndex
        var host = field[..<end]
        var rest = field[end...]
        if isInBrackets {
            guard !rest.isEmpty, Self.isIPv6(host.dropFirst()) else { return nil }
            host = field[...end]
            rest = rest.dropFirst()
        }
        guard rest.isEmpty || Self.isPort(rest), isInBrackets || Self.isName(host) else {
            return nil
        }
        text = String(host)
        isAddress = isInBrackets || Self.isIPv4(host)
    }

    /// A colon and a number, which may be left out.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        return text.first == ":" && digits.utf8.count <= 5
            && digits.utf8.allSatisfy(\.isDigit)
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                $0.isDigit || (0x61...0x7A).contains($0) || "-._".utf8.contains($0)
            }
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        // An `in6_addr`: 16 bytes.
        var address: (UInt64, UInt64) = (0, 0)
        return unsafe inet_pton(AF_INET6, String(text), &address) == 1
    }
}
