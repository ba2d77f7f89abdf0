/// What a phone's screen shows after some pushes.
public struct LockScreen: Equatable, Sendable {
    /// The notifications, the newest first.
    public private(set) var notifications: [ShownNotification] = []
    /// The number on each app's icon, by bundle identifier; no entry is no number.
    public private(set) var badges: [String: Int64] = [:]

    /// A screen with nothing on it.
    public init() {}

    /// Shows a push that was delivered: a notification, a badge, both, or nothing.
    mutating func show(_ push: DevicePush) {
        guard case .delivered(let at) = push.fate else { return }
        let content = PayloadContent(push.request.body)
        let app = push.request.app ?? ""
        if let badge = content.badge { badges[app] = badge > 0 ? badge : nil }
        guard let shown = ShownNotification(push.request, content, app: app, at: at) else { return }
        if let collapseID = shown.collapseID {
            notifications.removeAll { $0.app == app && $0.collapseID == collapseID }
        }
        notifications.insert(shown, at: 0)
    }
}
