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
    /// When a push ended it, in milliseconds since 1970; nil if none did.
    public internal(set) var endedAt: Int64?
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
        endedAt = content.event == .end ? at : nil
        updatedAt = at
    }
}

/// Its states, and when the system ends and removes it.
///
/// Source: Apple, *Displaying live data with Live Activities*.
extension LiveActivity {
    /// Where it is in its life, as ActivityKit's `ActivityState` says.
    public enum State: String, CaseIterable, Sendable {
        /// It is shown, and up to date.
        case active
        /// It is shown, and its content is out of date.
        case stale
        /// It has ended, and is still shown.
        case ended
        /// It is no longer shown.
        case dismissed
    }

    /// How long it lasts at most: 8 hours, in milliseconds.
    private static let maxActive: Int64 = 8 * 3_600_000
    /// How long it is shown after its end at most: 4 hours, in milliseconds.
    private static let maxEnded: Int64 = 4 * 3_600_000

    /// True when a push has ended it.
    public var hasEnded: Bool { endedAt != nil }

    /// When it ends, by a push or by the system, in milliseconds since 1970.
    public var endsAt: Int64 { min(endedAt ?? .max, shownAt + Self.maxActive) }

    /// When it is removed from the screen, in milliseconds since 1970.
    public var removedAt: Int64 {
        let latest = endsAt + Self.maxEnded
        guard let dismissalDate, dismissalDate < latest / 1000 else { return latest }
        return dismissalDate > endsAt / 1000 ? dismissalDate * 1000 : endsAt
    }

    /// Its state at a time in milliseconds since 1970.
    public func state(at now: Int64) -> State {
        if removedAt <= now { return .dismissed }
        if endsAt <= now { return .ended }
        return staleDate.map { $0 <= now / 1000 } == true ? .stale : .active
    }
}
