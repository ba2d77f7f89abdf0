/// A notification on a lock screen.
public struct ShownNotification: Equatable, Sendable {
    /// The app's bundle identifier.
    public let app: String
    /// The `apns-id` of its push.
    public let identifier: String
    /// When it was shown, in milliseconds since 1970.
    public let shownAt: Int64
    /// The first line.
    public let title: String?
    /// The second line.
    public let subtitle: String?
    /// The body.
    public let body: String?
    /// The badge that it set.
    public let badge: Int64?
    /// The name of the sound that it played.
    public let sound: String?
    /// The thread it is grouped by.
    public let threadID: String?
    /// The category, which determines its buttons.
    public let category: String?
    /// The interruption level: passive, active, time-sensitive or critical.
    public let interruptionLevel: String?
    /// The next notification with the same ID replaces this one.
    public let collapseID: String?

    /// The notification of a push; nil when it shows nothing, as a background push does.
    init?(_ request: JudgedRequest, _ content: PayloadContent, app: String, at: Int64) {
        let type = request.field("apns-push-type") ?? "alert"
        guard type == "alert" || type == "liveactivity", content.hasAlert else { return nil }
        self.app = app
        identifier = String(decoding: request.identifier, as: UTF8.self)
        shownAt = at
        title = content.title
        subtitle = content.subtitle
        body = content.body
        badge = content.badge
        sound = content.sound
        threadID = content.threadID
        category = content.category
        interruptionLevel = content.interruptionLevel
        collapseID = request.field("apns-collapse-id")
    }
}
