/// What a device's screen shows after some pushes.
public struct LockScreen: Equatable, Sendable {
    /// The notifications, the newest first.
    public private(set) var notifications: [ShownNotification] = []
    /// The Live Activities, the one that was changed last first.
    public private(set) var activities: [LiveActivity] = []
    /// The number on each app's icon, by bundle identifier; no entry is no number.
    public private(set) var badges: [String: Int64] = [:]

    /// A screen with nothing on it.
    public init() {}

    /// Shows a push that was delivered: a notification, a badge, both, or nothing.
    mutating func show(_ push: DevicePush) {
        guard case .delivered(let at) = push.fate else { return }
        let content = PayloadContent(push.request.body)
        let app = push.request.app ?? ""
        if push.request.field("apns-push-type") == "liveactivity" {
            showActivity(push.request, app: app, at: at)
        }
        if let badge = content.badge { badges[app] = badge > 0 ? badge : nil }
        guard let shown = ShownNotification(push.request, content, app: app, at: at) else { return }
        if let collapseID = shown.collapseID {
            notifications.removeAll { $0.app == app && $0.collapseID == collapseID }
        }
        notifications.insert(shown, at: 0)
    }

    /// Begins a Live Activity, changes or ends it; a start that names a channel is the channel's.
    private mutating func showActivity(_ request: JudgedRequest, app: String, at: Int64) {
        let content = ActivityContent(request.body)
        guard let event = content.event else { return }
        let channel = request.broadcastChannel ?? (event == .start ? content.channel : nil)
        let place = activities.firstIndex { $0.app == app && $0.channel == channel }
        var activity = LiveActivity(app: app, channel: channel, at: at)
        if let place {
            let earlier = activities.remove(at: place)
            // What has ended is not changed any more: another one begins.
            if !earlier.hasEnded, event != .start { activity = earlier }
        }
        activity.take(content, at: at)
        if let date = activity.dismissalDate, date <= at / 1000 { return }
        activities.insert(activity, at: 0)
    }
}
