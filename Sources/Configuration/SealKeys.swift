public import Delivery
internal import Encoding
public import Kafka
internal import TLS

/// The keys of `results.seal`: records of the bridge carry a code of everything that decides what
/// becomes of them, so that nobody else can write or change one.
public struct SealKeys: Equatable, Sendable, CustomStringConvertible {
    /// The kind of a record: one kind cannot be taken for another.
    public enum Kind: String, Sendable {
        /// A push that waits in the retry topic.
        case retry
        /// A dead letter.
        case deadLetter = "dead-letter"
        /// A dead letter that is sent again.
        case replay
        /// An unregistered device token.
        case unregistered
    }

    /// The name of the header.
    public static let header = "apns-bridge-seal"
    /// The fewest bytes of a key.
    static let minimumLength = 16

    /// The keys; the first one seals, and each is accepted.
    private let keys: [[UInt8]]
    /// Records without a seal that a broker has stored before this time are accepted, in
    /// milliseconds since 1970.
    private let since: Int64?

    /// Creates the keys; there must be one.
    public init(keys: [[UInt8]], since: Int64? = nil) {
        precondition(!keys.isEmpty, "a key to seal with")
        self.keys = keys
        self.since = since
    }

    /// Says how many there are, and nothing about them.
    public var description: String { "\(keys.count) keys" }

    /// The header that seals a record, whose other headers are given.
    public func seal(
        _ kind: Kind, key: [UInt8]?, value: [UInt8]?, headers: [ResultRecord.Header]
    ) -> ResultRecord.Header {
        let content = Self.content(kind, key, value, headers)
        return (Self.header, Hexadecimal.encode(MessageCode.code(of: content, key: keys[0])))
    }

    /// Why a record is not accepted; nil if it has been sealed with one of the keys, or was written
    /// before there were seals. `storedAt` is the broker's time, in milliseconds since 1970; nil if
    /// the record's writer has chosen its timestamp.
    public func fault(
        _ kind: Kind, key: [UInt8]?, value: [UInt8]?, headers: [ResultRecord.Header],
        storedAt: Int64?
    ) -> String? {
        let seals = headers.filter { $0.name == Self.header }
        guard let seal = seals.first?.value, seals.count == 1 else {
            let isOld = since.map { storedAt ?? .max < $0 } ?? false
            return seals.isEmpty && isOld
                ? nil : "the header \(Self.header) is missing, or is there twice"
        }
        let content = Self.content(kind, key, value, headers.filter { $0.name != Self.header })
        let isSealed = keys.contains {
            Self.equal(Hexadecimal.encode(MessageCode.code(of: content, key: $0)), seal)
        }
        return isSealed ? nil : "the header \(Self.header) does not belong to this record"
    }

    /// The same for a stored record.
    public func fault(_ kind: Kind, of record: StoredRecord) -> String? {
        fault(
            kind, key: record.key, value: record.value, headers: record.headers,
            storedAt: record.isLogAppendTime ? record.timestamp : nil)
    }

    /// The same for a record of a source.
    public func fault(_ kind: Kind, of record: borrowing Record) -> String? {
        fault(
            kind, key: record.copyKey(), value: record.copyValue(), headers: record.copyHeaders(),
            storedAt: record.isLogAppendTime ? record.timestamp : nil)
    }

    /// True for a record that is sealed with one of the keys, whenever it was stored.
    public func isSealed(_ kind: Kind, _ record: borrowing Record) -> Bool {
        fault(
            kind, key: record.copyKey(), value: record.copyValue(), headers: record.copyHeaders(),
            storedAt: nil) == nil
    }

    /// What stands for a device token where it is hashed: the same for each push to the device, and
    /// only for holders of the key the same as that of a token they know.
    public func pseudonym(of token: [UInt8]) -> [UInt8] {
        Hexadecimal.encode(
            MessageCode.code(of: Array("apns-bridge-token".utf8) + [0] + token, key: keys[0]))
    }

    /// Everything that is sealed, with lengths, so that no two records have the same.
    private static func content(
        _ kind: Kind, _ key: [UInt8]?, _ value: [UInt8]?, _ headers: [ResultRecord.Header]
    ) -> [UInt8] {
        var bytes = Array("apns-bridge-seal-1 \(kind.rawValue)".utf8) + [0]
        func append(_ part: [UInt8]?) {
            guard let part else { return bytes.append(0) }
            bytes.append(1)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: part.count >> shift))
            }
            bytes.append(contentsOf: part)
        }
        append(key)
        append(value)
        for header in headers {
            append(HeaderName.bytes(header.name))
            append(header.value)
        }
        return bytes
    }

    /// Compares in a time that does not depend on where they differ.
    private static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
