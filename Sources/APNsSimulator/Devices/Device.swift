/// A device from its owner's point of view.
public struct Device: Sendable {
    /// Its token, in lower-case hexadecimal digits.
    public let token: String
    /// Whether it is online, so that pushes reach it immediately.
    public let isOnline: Bool
    /// Whether its token is valid.
    public let standing: DeviceStanding
    /// The total number of pushes sent to it.
    public let received: Int
    /// The broadcast channels that it has subscribed to, oldest first.
    public let channels: [String]
    /// Its latest pushes and their results, oldest first.
    public let pushes: [DevicePush]
    /// The texts of the apps by their keys.
    var strings = LocalizedStrings()
    /// The notifications that were opened or cleared, by the numbers of their pushes.
    var dismissed: [Int: Dismissal] = [:]

    /// The delivered pushes, in order of delivery.
    public var delivered: [DevicePush] {
        let found = pushes.compactMap { push -> (at: Int64, push: DevicePush)? in
            guard case .delivered(let at) = push.state else { return nil }
            return (at, push)
        }
        // Stored pushes were delivered late: after pushes requested later.
        return found.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element.push)
    }

    /// The current content of its screen.
    public var lockScreen: LockScreen {
        var screen = LockScreen()
        for push in delivered {
            screen.show(push, strings, isDismissed: dismissed[push.request.number] != nil)
        }
        return screen
    }
}
