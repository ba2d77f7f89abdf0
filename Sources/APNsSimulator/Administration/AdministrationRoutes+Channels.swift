internal import AdminServer
internal import JSON

extension AdministrationRoutes {
    /// The broadcast channels of one app or of all, and their number.
    func listChannels(_ request: AdminRequest) -> AdminResponse {
        let limit: Int
        do throws(AdministrationFault) {
            try check(request, allowed: ["app", "limit"])
            limit = try number("limit", of: request, in: 0...100_000) ?? 200
        } catch {
            return error.response
        }
        let subscribers = memory.subscribers
        let list = channels.list(of: request.query["app"])
        return Self.object { writer in
            writer.member("total", Int64(list.count))
            writer.name(ascii: "channels")
            writer.beginArray()
            for channel in list.prefix(limit) {
                writer.beginObject()
                writer.members(of: channel)
                writer.member("subscribers", Int64(subscribers[channel.identifier] ?? 0))
                writer.endObject()
            }
            writer.endArray()
        }
    }
}

extension JSONWriter {
    /// A broadcast channel as returned by `GET /channels`.
    fileprivate mutating func members(of channel: BroadcastChannel) {
        member("app", channel.app)
        member("channel_id", channel.identifier)
        member("message_storage_policy", channel.storesLatest ? 1 : 0)
        member("made_at", time: channel.madeAt)
        member("broadcasts", Int64(channel.broadcasts))
        if let last = channel.lastBroadcastAt { member("last_broadcast_at", time: last) }
    }
}
