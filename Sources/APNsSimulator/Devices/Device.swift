/// A device as its owner would describe it.
public struct Device: Sendable {
    /// Its token, in lower-case digits.
    public let token: String
    /// Whether pushes reach it at once.
    public let isOnline: Bool
    /// Whether its token leads anywhere.
    public let standing: DeviceStanding
    /// How many pushes it has ever been sent.
    public let received: Int
    /// The broadcast channels that it has subscribed to, the oldest first.
    public let channels: [String]
    /// Its latest pushes and what happened to them, the oldest first.
    public let pushes: [DevicePush]

    /// What it has got, in the order in which it got it.
    public var delivered: [DevicePush] {
        let found = pushes.compactMap { push -> (at: Int64, push: DevicePush)? in
            guard case .delivered(let at) = push.fate else { return nil }
            return (at, push)
        }
        // What waited has come late: later than what was asked for after it.
        return found.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element.push)
    }

    /// What its screen shows now.
    public var lockScreen: LockScreen {
        var screen = LockScreen()
        for push in delivered { screen.show(push) }
        return screen
    }
}
