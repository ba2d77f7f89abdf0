internal import Encoding

/// Validates `bootstrap.servers`: librdkafka silently ignores addresses that it does not
/// understand.
package enum BrokerAddresses {
    private static let protocols = ["plaintext", "ssl", "sasl_plaintext", "sasl_ssl"]

    /// What is wrong with a list of addresses; nil if nothing. The address is not quoted, because
    /// it may come from outside the file.
    package static func problem(_ text: String) -> (message: String, remedy: String)? {
        let addresses = text.split(separator: ",").map { $0.trimming { $0 == " " } }
            .filter { !$0.isEmpty }
        guard !addresses.isEmpty else { return ("no address", example) }
        return addresses.lazy.compactMap(problem(of:)).first
    }

    private static let example =
        "write host:port, more of them with commas: kafka-1:9092,kafka-2:9092"

    private static func problem(of address: Substring) -> (message: String, remedy: String)? {
        var rest = address
        if let range = address.firstRange(of: "://") {
            guard protocols.contains(address[..<range.lowerBound].lowercased()) else {
                return (
                    "an address with a protocol that Kafka does not have",
                    "remove the part before the host: kafka-1:9092"
                )
            }
            rest = address[range.upperBound...]
        }
        if rest.first == "[" {
            guard let close = rest.firstIndex(of: "]") else {
                return ("an address without a ']'", example)
            }
            return problem(ofPort: rest[rest.index(after: close)...])
        }
        let host = rest.prefix { $0 != ":" }
        guard !host.isEmpty, !host.contains(where: { " /@".contains($0) }) else {
            return ("an address without a valid host name", example)
        }
        let after = rest.dropFirst(host.count)
        guard after.dropFirst().firstIndex(of: ":") == nil else {
            return (
                "an address with more than one ':'",
                "write an IPv6 address in brackets: [::1]:9092"
            )
        }
        return problem(ofPort: after)
    }

    /// The port is optional; the default is 9092.
    private static func problem(ofPort text: Substring) -> (message: String, remedy: String)? {
        if text.isEmpty { return nil }
        let digits = text.dropFirst()
        let isFine =
            text.first == ":" && digits.allSatisfy { $0.isASCII && $0.isNumber }
            && (UInt16(digits) ?? 0) > 0
        return isFine ? nil : ("an address with an invalid port", "write a port from 1 to 65535")
    }
}
