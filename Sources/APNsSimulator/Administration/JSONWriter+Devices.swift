internal import JSON

extension JSONWriter {
    /// A device as returned by `GET /devices` at a time.
    mutating func members(of device: Device, at now: Int64) {
        member("token", device.token)
        member("online", device.isOnline)
        members(of: device.standing)
        member("received", Int64(device.received))
        let screen = device.lockScreen
        name(ascii: "badges")
        beginObject()
        for (app, badge) in screen.badges.sorted(by: { $0.key < $1.key }) {
            name(app)
            integer(badge)
        }
        endObject()
        name(ascii: "lock_screen")
        beginArray()
        for shown in screen.notifications {
            beginObject()
            members(of: shown)
            endObject()
        }
        endArray()
        name(ascii: "live_activities")
        beginArray()
        for activity in screen.activities {
            beginObject()
            members(of: activity, at: now)
            endObject()
        }
        endArray()
        name(ascii: "channels")
        beginArray()
        for channel in device.channels { string(channel) }
        endArray()
        let waiting = device.pushes.count { $0.state == .stored }
        member("stored", Int64(waiting))
    }

    private mutating func members(of standing: DeviceStanding) {
        member("registered", standing == .registered)
        switch standing {
        case .registered: break
        case .unregistered(let since): member("unregistered_at", time: since)
        case .changed(let token, let since):
            member("changed_to", token)
            member("changed_at", time: since)
        }
    }

    /// The pushes sent to a device, newest first.
    mutating func pushes(of device: Device) {
        name(ascii: "pushes")
        beginArray()
        for push in device.pushes.reversed() {
            beginObject()
            members(of: push.state)
            switch device.dismissed[push.request.number] {
            case .opened(let time)?: member("opened_at", time: time)
            case .cleared(let time)?: member("cleared_at", time: time)
            case nil: break
            }
            member("number", Int64(push.request.number))
            member("at", time: push.request.arrivedAt)
            member("app", push.request.app)
            member("apns_id", String(decoding: push.request.identifier, as: UTF8.self))
            member("push_type", push.request.field("apns-push-type"))
            member("priority", push.request.field("apns-priority"))
            member("collapse_id", push.request.field("apns-collapse-id"))
            member("expiration", push.request.field("apns-expiration"))
            if let channel = push.request.broadcastChannel { member("channel_id", channel) }
            payload(push.request.body)
            endObject()
        }
        endArray()
    }

    /// A Live Activity of a lock screen.
    private mutating func members(of activity: LiveActivity, at now: Int64) {
        member("app", activity.app)
        member("channel_id", activity.channel)
        member("attributes_type", activity.attributesType)
        member("attributes", json: activity.attributes)
        member("content_state", json: activity.contentState)
        member("ended", activity.hasEnded)
        member("stale_date", activity.staleDate)
        member("dismissal_date", activity.dismissalDate)
        member("shown_at", time: activity.shownAt)
        member("updated_at", time: activity.updatedAt)
        member("ends_at", time: activity.endsAt)
        member("removed_at", time: activity.removedAt)
        member("state", activity.state(at: now).rawValue)
    }

    /// A member whose value is already JSON.
    mutating func member(_ name: StaticString, json text: String?) {
        self.name(ascii: name)
        if let text { raw([UInt8](text.utf8)) } else { null() }
    }
}
