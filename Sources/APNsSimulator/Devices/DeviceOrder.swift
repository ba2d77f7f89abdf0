/// What somebody wants to happen to a device.
public enum DeviceOrder: Equatable, Sendable {
    /// It comes back, or goes away.
    case online(Bool)
    /// The app is removed from it.
    case unregister
    /// Its token leads to it again.
    case register
    /// It gets another token.
    case change(to: String)
    /// It gets from now on what is broadcast to a channel.
    case subscribe(channel: String)
    /// It gets nothing more that is broadcast to a channel.
    case unsubscribe(channel: String)
}

extension Devices {
    /// Does what an order says; answers the pushes that are delivered by it.
    mutating func obey(
        _ order: DeviceOrder, _ token: DeviceToken, _ other: DeviceToken?, at now: Int64
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
        }
        return []
    }
}
