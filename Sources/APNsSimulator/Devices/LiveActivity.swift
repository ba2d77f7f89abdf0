/// A Live Activity on a lock screen.
///
/// A screen has one for each start of an app or of a broadcast channel, as a device does.
public struct LiveActivity: Equatable, Sendable {
    /// The app's bundle identifier.
    public let app: String
    /// The broadcast channel that updates it; nil when pushes to the device do.
    public let channel: String?
    /// The type name of its attributes; nil when no push contained it.
    public internal(set) var attributesType: String?
    /// The attributes at the start, as JSON; nil when no push contained them.
    public internal(set) var attributes: String?
    /// The content state, as JSON; nil when no push contained it.
    public internal(set) var contentState: String?
    /// When a push first reached it, in milliseconds since 1970.
    public let shownAt: Int64
    /// When a push last changed it, in milliseconds since 1970.
    public internal(set) var updatedAt: Int64
    /// When its content becomes stale, in seconds since 1970; nil for never.
    public internal(set) var staleDate: Int64?
    /// When it is removed from the screen, in seconds since 1970; nil if the end did not say.
    public internal(set) var dismissalDate: Int64?
    /// A push has ended it.
    public internal(set) var hasEnded = false
    /// The timestamp of the latest push that changed it, in seconds since 1970.
    var timestamp: Int64?

    init(app: String, channel: String?, at: Int64) {
        self.app = app
        self.channel = channel
        shownAt = at
        updatedAt = at
    }

    /// Applies a push, unless one with a later timestamp was applied before.
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
