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

/// What a payload tells a Live Activity.
enum ActivityEvent: String, Sendable {
    /// It starts.
    case start
    /// It changes.
    case update
    /// It ends.
    case end
}

extension Engine {
    /// What the device would do with a repetition of a push.
    mutating func repetition(of id: PushID) -> Repetition {
        switch pushes[id].pushType {
        case .alert: .replacing
        case .voip, .pushtotalk: .noticed
        case .background, .location, .complication, .fileprovider, .widgets, .controls: .harmless
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

    /// What a push tells a Live Activity, and whether it alerts. Only pushes in doubt are asked.
    func activityContent(of id: PushID) -> (event: ActivityEvent?, hasAlert: Bool) {
        guard pushes[id].pushType == .liveactivity else { return (nil, false) }
        return pushes[recordOf: id].stored.withPayload(pushes[id].content) { payload in
            var tape = JSONTape()
            do throws(JSONError) { try tape.read(payload) } catch { return (nil, true) }
            guard let aps = tape.member("aps", of: 0, in: payload) else { return (nil, true) }
            let event = tape.member("event", of: aps, in: payload)
                .flatMap { tape.text(of: $0, in: payload) }
            let alert = tape.member("alert", of: aps, in: payload)
            let hasAlert = alert.map { tape[$0].kind != .null } ?? false
            return (event.flatMap { ActivityEvent(rawValue: $0) }, hasAlert)
        }
    }
}
