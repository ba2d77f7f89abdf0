internal import Encoding
internal import EventLoop
internal import JSON

/// What the feedback service says of one device token.
public struct FeedbackTuple: Equatable, Sendable {
    /// Since when the device token is no longer registered, in seconds since 1970.
    public var time: UInt32
    /// The device token's own bytes.
    public var deviceToken: [UInt8]

    /// Describes a device token.
    public init(time: UInt32, deviceToken: [UInt8]) {
        self.time = time
        self.deviceToken = deviceToken
    }

    /// The time, the length of the device token, and the device token.
    public var bytes: [UInt8] {
        let length = UInt16(clamping: deviceToken.count)
        return time.bigEndianBytes + [UInt8(length >> 8), UInt8(length & 0xFF)] + deviceToken
    }
}

/// Reads the records of the unregistered topic.
public struct FeedbackReader: ~Copyable {
    /// What a record is for an app.
    public enum Finding: Equatable, Sendable {
        /// A device token of the app.
        case tuple(FeedbackTuple)
        /// Nothing of the app's: another app's record, or one that was deleted.
        case none
        /// Not a record of this topic.
        case malformed
    }

    private var tape = JSONTape()

    /// A reader that has read nothing yet.
    public init() {}

    /// What the value of a record says to an app; where Apple gave no time, the record's counts.
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
            let told = tape.member("timestamp", of: 0, in: bytes).flatMap {
                tape.integer(of: $0, in: bytes)
            }
            let time = UInt32(clamping: (told ?? timestamp ?? 0) / 1000)
            return .tuple(FeedbackTuple(time: time, deviceToken: token))
        }
    }

    /// What hexadecimal digits stand for; nil when they are none, or too many.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = [UInt8](text.utf8)
        guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= 2 * Int(UInt16.max) else {
            return nil
        }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Hexadecimal.value(of: digits[place]),
                let low = Hexadecimal.value(of: digits[place + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
