/// A notification on a lock screen.
public struct ShownNotification: Equatable, Sendable {
    /// The bundle identifier of the app that it is from.
    public let app: String
    /// The `apns-id` of its push.
    public let identifier: String
    /// When it was shown, in milliseconds since 1970.
    public let shownAt: Int64
    /// The first line.
    public let title: String?
    /// The second line.
    public let subtitle: String?
    /// The text.
    public let body: String?
    /// The number that it put on the app's icon.
    public let badge: Int64?
    /// The name of the sound that it made.
    public let sound: String?
    /// What it is grouped by.
    public let threadID: String?
    /// What buttons it has.
    public let category: String?
    /// How much it may disturb: passive, active, time-sensitive or critical.
    public let interruptionLevel: String?
    /// The next one with the same takes its place.
    public let collapseID: String?

    /// What a push shows; nil when it shows nothing, as a background push does.
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
