internal import Configuration
internal import Delivery
internal import Encoding
internal import EventLoop
internal import JSON
internal import Kafka

/// The feedback about one device token.
public struct FeedbackTuple: Equatable, Sendable {
    /// When the device token became unregistered, in seconds since 1970.
    public var time: UInt32
    /// The device token as bytes.
    public var deviceToken: [UInt8]

    /// Creates a tuple.
    public init(time: UInt32, deviceToken: [UInt8]) {
        self.time = time
        self.deviceToken = deviceToken
    }

    /// The time, the length of the device token, and the device token, as sent.
    public var bytes: [UInt8] {
        let length = UInt16(clamping: deviceToken.count)
        return time.bigEndianBytes + [UInt8(length >> 8), UInt8(length & 0xFF)] + deviceToken
    }
}

/// Reads the records of the unregistered topic.
public struct FeedbackReader: ~Copyable {
    /// The meaning of a record for an app.
    public enum Finding: Equatable, Sendable {
        /// A device token of the app.
        case tuple(FeedbackTuple)
        /// Nothing for this app: another app's record, or a deleted one.
        case none
        /// Not a valid record of this topic.
        case malformed
        /// Not sealed with a key that the service knows: it may be forged.
        case unsealed
    }

    private var tape = JSONTape()

    /// Creates a reader.
    public init() {}

    /// The feedback in a record's value for an app; if Apple gave no time, the record's is used.
    public mutating func finding(
        in value: [UInt8]?, at timestamp: Int64?, for app: EventWriter.App
    ) -> Finding {
        guard let value else { return .none }
        return value.withRawSpan { bytes -> Finding in
            guard (try? tape.read(bytes)) != nil, tape[0].kind == .object else { return .malformed }
            func text(_ name: String) -> String? {
                tape.member(name, of: 0, in: bytes).flatMap { tape.text(of: $0, in: bytes) }
            }
            guard let bundleID = text("bundle_id"), let environment = text("environment"),
                let token = text("device_token").flatMap(Self.bytes)
            else { return .malformed }
            guard bundleID == app.bundleID, environment == app.environment else { return .none }
            let reported = tape.member("timestamp", of: 0, in: bytes).flatMap {
                tape.integer(of: $0, in: bytes)
            }
            let time = UInt32(clamping: (reported ?? timestamp ?? 0) / 1000)
            return .tuple(FeedbackTuple(time: time, deviceToken: token))
        }
    }

    /// The same for a record, which must be sealed if there are keys: a forged one would make a
    /// provider delete a device.
    mutating func finding(
        in record: StoredRecord, for app: EventWriter.App, sealedBy seal: SealKeys?
    ) -> Finding {
        if record.value != nil, seal?.fault(.unregistered, of: record) != nil { return .unsealed }
        return finding(in: record.value, at: record.timestamp, for: app)
    }

    /// Decodes hexadecimal digits; nil when they are invalid or too many.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = [UInt8](text.utf8)
        guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= 2 * Int(UInt16.max) else {
            return nil
        }
        var bytes: [UInt8] = []
        for offset in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hexadecimal.value(of: digits[offset]),
                let low = Hexadecimal.value(of: digits[offset + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
