/// Whether a device token leads anywhere.
public enum DeviceStanding: Equatable, Sendable {
    /// It does.
    case registered
    /// The app was removed from the device at that moment, in milliseconds since 1970.
    case unregistered(since: Int64)
    /// The device has had another token since that moment, in milliseconds since 1970.
    case changed(to: String, since: Int64)

    /// The response to a push; nil when the token leads somewhere.
    var refusal: Judgement? {
        switch self {
        case .registered: nil
        case .unregistered(let since):
            Judgement(status: 410, reason: "Unregistered", timestamp: since)
        case .changed(_, let since):
            Judgement(status: 410, reason: "ExpiredToken", timestamp: since)
        }
    }
}

/// What is known of a device that is not as all others are.
struct DeviceMark {
    var isOnline = true
    var standing = DeviceStanding.registered
    /// The one push that is stored for each app, while the device is away.
    ///
    /// What was broadcast waits by its channel.
    var stored: [[UInt8]: JudgedRequest] = [:]
    /// The broadcast channels that it has subscribed to, the oldest first.
    var channels: [[UInt8]] = []

    var isOrdinary: Bool {
        isOnline && standing == .registered && stored.isEmpty && channels.isEmpty
    }
}
