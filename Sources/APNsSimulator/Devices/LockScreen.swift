/// The content of a device's screen after some pushes.
public struct LockScreen: Equatable, Sendable {
    /// The notifications, newest first.
    public private(set) var notifications: [ShownNotification] = []
    /// The Live Activities, the last changed first, with those that are no longer shown.
    public private(set) var activities: [LiveActivity] = []
    /// The badge of each app, by bundle identifier; no entry means no badge.
    public private(set) var badges: [String: Int64] = [:]

    /// Creates an empty screen.
    public init() {}

    /// Shows a delivered push: a notification, a badge, both, or nothing.
    ///
    /// A dismissed notification disappears, but what it did to others and to the badge stays.
    mutating func show(
        _ push: DevicePush, _ strings: LocalizedStrings = LocalizedStrings(),
        isDismissed: Bool = false
    ) {
        guard case .delivered(let at) = push.state else { return }
        let content = PayloadContent(push.request.body, strings)
        let app = push.request.app ?? ""
        if push.request.field("apns-push-type") == "liveactivity" {
            showActivity(push.request, app: app, at: at)
        }
        if let badge = content.badge { badges[app] = badge > 0 ? badge : nil }
        guard let shown = ShownNotification(push.request, content, app: app, at: at) else { return }
        if let collapseID = shown.collapseID {
            notifications.removeAll { $0.app == app && $0.collapseID == collapseID }
        }
        if !isDismissed { notifications.insert(shown, at: 0) }
    }

    /// Starts, updates or ends a Live Activity; one started with a channel belongs to the channel.
    ///
    /// Each start makes another activity, and what follows changes the last one that has not ended.
    /// An update without a start makes one, too: it was started with another token.
    private mutating func showActivity(_ request: JudgedRequest, app: String, at: Int64) {
        let content = ActivityContent(request.body)
        guard let event = content.event else { return }
        let channel = request.broadcastChannel ?? (event == .start ? content.channel : nil)
        let mine = activities.indices.filter {
            activities[$0].app == app && activities[$0].channel == channel
        }
        var activity = LiveActivity(app: app, channel: channel, at: at)
        if event == .start {
            // Those that have ended leave when another one starts.
            activities.removeAll {
                $0.app == app && $0.channel == channel && $0.endsAt <= at
            }
        } else if let open = mine.first(where: { activities[$0].endsAt > at }) {
            activity = activities.remove(at: open)
        } else if !mine.isEmpty {
            return
        }
        activity.take(content, at: at)
        activities.insert(activity, at: 0)
    }
}
