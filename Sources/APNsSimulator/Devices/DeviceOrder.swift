/// An order that changes a device.
public enum DeviceOrder: Equatable, Sendable {
    /// Goes online or offline.
    case online(Bool)
    /// Removes the app from it.
    case unregister
    /// Makes its token valid again.
    case register
    /// Gives it another token.
    case change(to: String)
    /// Subscribes it to a channel.
    case subscribe(channel: String)
    /// Unsubscribes it from a channel.
    case unsubscribe(channel: String)
    /// Opens the notification with this `apns-id`.
    case open(String)
    /// Clears the notification with this `apns-id`, or with nil all of them.
    case clear(String?)
}

extension SimulatedDevices {
    /// Carries out an order; returns the pushes delivered because of it.
    mutating func apply(
        _ order: DeviceOrder, _ token: TokenBytes, _ other: TokenBytes?, at now: Int64
    ) throws(DeviceFault) -> [JudgedRequest] {
        switch order {
        case .online(let isOnline): return try setOnline(isOnline, token, at: now)
        case .unregister: try unregister(token, at: now)
        case .register: try register(token)
        case .change:
            guard let other else { throw .malformedToken }
            try change(token, to: other, at: now)
        case .subscribe(let channel):
            return try subscribe(token, to: [UInt8](channel.utf8), at: now)
        case .unsubscribe(let channel): unsubscribe(token, from: [UInt8](channel.utf8))
        case .open(let identifier): try dismiss(identifier, token, as: .opened(at: now))
        case .clear(let identifier): try dismiss(identifier, token, as: .cleared(at: now))
        }
        return []
    }
}
