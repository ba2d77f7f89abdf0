/// Whether a device token is valid.
public enum DeviceStanding: Equatable, Sendable {
    /// It is.
    case registered
    /// The app was removed from the device at this time, in milliseconds since 1970.
    case unregistered(since: Int64)
    /// The device has had another token since this time, in milliseconds since 1970.
    case changed(to: String, since: Int64)

    /// The response to a push; nil when the token is valid.
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

/// The state of a device that differs from the default.
struct DeviceMark {
    var isOnline = true
    var standing = DeviceStanding.registered
    /// The one push stored for each app while the device is offline.
    ///
    /// Broadcasts are stored by channel instead.
    var stored: [[UInt8]: JudgedRequest] = [:]
    /// The broadcast channels that it has subscribed to, oldest first.
    var channels: [[UInt8]] = []
    /// The notifications that were opened or cleared, by the numbers of their pushes.
    var dismissed: [Int: Dismissal] = [:]

    var isOrdinary: Bool {
        isOnline && standing == .registered && stored.isEmpty && channels.isEmpty
            && dismissed.isEmpty
    }
}
