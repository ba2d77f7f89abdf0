/// A Live Activity on a lock screen.
///
/// A screen has one for each app and, besides, one for each broadcast channel.
public struct LiveActivity: Equatable, Sendable {
    /// The bundle identifier of the app that it is from.
    public let app: String
    /// The broadcast channel that updates it; nil when pushes to the device do.
    public let channel: String?
    /// The name of the type of its attributes; nil when no push has said.
    public internal(set) var attributesType: String?
    /// What it was begun with, as JSON; nil when no push has said.
    public internal(set) var attributes: String?
    /// What it shows, as JSON; nil when no push has said.
    public internal(set) var contentState: String?
    /// When a push first reached it, in milliseconds since 1970.
    public let shownAt: Int64
    /// When a push last changed it, in milliseconds since 1970.
    public internal(set) var updatedAt: Int64
    /// When it is out of date, in seconds since 1970; nil for never.
    public internal(set) var staleDate: Int64?
    /// When it leaves the screen, in seconds since 1970; nil when its end did not say.
    public internal(set) var dismissalDate: Int64?
    /// A push has ended it.
    public internal(set) var hasEnded = false
    /// When the latest push was written that has changed it, in seconds since 1970.
    var timestamp: Int64?

    init(app: String, channel: String?, at: Int64) {
        self.app = app
        self.channel = channel
        shownAt = at
        updatedAt = at
    }

    /// Takes what a push says, unless one that was written later has come before.
    mutating func take(_ content: ActivityContent, at: Int64) {
        if let earlier = timestamp, let timestamp = content.timestamp, timestamp < earlier {
            return
        }
        timestamp = content.timestamp ?? timestamp
        attributesType = content.attributesType ?? attributesType
        attributes = content.attributes ?? attributes
        contentState = content.contentState ?? contentState
        staleDate = content.staleDate
        dismissalDate = content.event == .end ? content.dismissalDate : nil
        hasEnded = content.event == .end
        updatedAt = at
    }
}
