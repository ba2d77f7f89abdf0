internal import Delivery
internal import EventLoop
internal import JSON

/// What a device does with a push that it may already have.
enum Repetition: Equatable, Sendable {
    /// It wakes an app, or its timestamp orders it: nobody notices.
    case harmless
    /// It replaces the first one on the device if it has a collapse ID.
    case replacing
    /// It would start another Live Activity, or ring or sound twice.
    case noticed
}

/// What a payload does with a Live Activity.
enum ActivityEvent: String, Sendable {
    /// It starts.
    case start
    /// It changes.
    case update
    /// It ends.
    case end
}

/// The members of `aps` that say what a Live Activity does with a push; nothing for other pushes.
struct ActivityContent: Equatable, Sendable {
    var event: ActivityEvent?
    /// In seconds since 1970: a device ignores what is older than what it has.
    var timestamp: Int64?
    var hasAlert = false
}

extension Engine {
    /// What the device would do with a repetition of a push.
    mutating func repetition(of id: PushID) -> Repetition {
        switch pushes[id].pushType {
        case .alert: .replacing
        case .voip, .pushtotalk: .noticed
        case .background, .location, .complication, .fileprovider, .widgets, .controls, .mdm:
            .harmless
        case .liveactivity: activityRepetition(of: id)
        }
    }

    /// Updates and ends of a Live Activity are ordered by their timestamps, but an alert in them
    /// would sound twice.
    private mutating func activityRepetition(of id: PushID) -> Repetition {
        let content = activityContent(of: id)
        let first = pushes[details: id].firstActivityEvent ?? content.event
        let isOrdered = [content.event, first].allSatisfy { $0 == .update || $0 == .end }
        return isOrdered && !content.hasAlert ? .harmless : .noticed
    }

    /// What a push does with a Live Activity. Read from its payload, and only for pushes in doubt
    /// and those that newer ones may supersede while they are buffered.
    mutating func activityContent(of id: PushID) -> ActivityContent {
        guard pushes[id].pushType == .liveactivity else { return ActivityContent() }
        return pushes[recordOf: id].stored.withPayload(pushes[id].content) { payload in
            var tape = JSONTape()
            let unknown = ActivityContent(hasAlert: true)
            do throws(JSONError) { try tape.read(payload) } catch { return unknown }
            guard let aps = tape.member("aps", of: 0, in: payload) else { return unknown }
            let event = tape.member("event", of: aps, in: payload)
                .flatMap { tape.text(of: $0, in: payload) }
            let alert = tape.member("alert", of: aps, in: payload)
            let timestamp = tape.member("timestamp", of: aps, in: payload)
            return ActivityContent(
                event: event.flatMap { ActivityEvent(rawValue: $0) },
                timestamp: timestamp.flatMap { tape.integer(of: $0, in: payload) },
                hasAlert: alert.map { tape[$0].kind != .null } ?? false)
        }
    }
}
