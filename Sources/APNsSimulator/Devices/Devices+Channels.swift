/// Who has subscribed to which broadcast channel, and what reaches them.
extension Devices {
    /// How long a channel keeps its latest push at most: 8 hours, in milliseconds.
    static let longestBroadcastStorage: Int64 = 8 * 3_600_000

    /// Lets a device get what is broadcast to a channel, and what the channel keeps.
    ///
    /// Returns the pushes that are delivered by it.
    mutating func subscribe(
        _ token: DeviceToken, to channel: [UInt8], at now: Int64
    ) throws(DeviceFault) -> [JudgedRequest] {
        var mark = try mark(of: token)
        guard mark.standing == .registered else { throw .notRegistered }
        guard channels.channel(channel) != nil else { throw .unknownChannel }
        if mark.channels.contains(channel) { return [] }
        guard mark.channels.count < limits.channelsPerDevice else {
            throw .tooManyChannels(limits.channelsPerDevice)
        }
        mark.channels.append(channel)
        keep(mark, token)
        guard let latest = kept[channel], !Self.isExpired(latest, at: now) else { return [] }
        let fate = reach(token, with: latest, of: channel, isKept: true, at: now)
        return fate == .delivered(at: now) ? [latest] : []
    }

    /// Lets a device get nothing more that is broadcast to a channel.
    mutating func unsubscribe(_ token: DeviceToken, from channel: [UInt8]) {
        guard var mark = marks[token], mark.channels.contains(channel) else { return }
        mark.channels.removeAll { $0 == channel }
        keep(mark, token)
    }

    /// Brings a push to all devices that have subscribed to its channel; answers who got it.
    mutating func broadcast(
        _ request: JudgedRequest, to channel: [UInt8]
    ) -> [DeviceToken] {
        let now = request.arrivedAt
        let isKept = channels.channel(channel)?.storesLatest == true
        if isKept, !Self.isExpired(request, at: now) { keepLatest(request, of: channel) }
        let subscribers = marks.filter { $0.value.channels.contains(channel) }.keys
            .sorted { $0.text < $1.text }
        return subscribers.filter {
            reach($0, with: request, of: channel, isKept: isKept, at: now) == .delivered(at: now)
        }
    }

    /// Forgets a channel that was deleted: nobody has subscribed to it, and nothing waits.
    mutating func close(_ channel: [UInt8]) {
        kept[channel] = nil
        for (token, mark) in marks where mark.channels.contains(channel) {
            var mark = mark
            if let request = mark.stored.removeValue(forKey: channel) {
                settle(request, of: token, as: .expired)
            }
            mark.channels.removeAll { $0 == channel }
            keep(mark, token)
        }
    }

    /// How many devices have subscribed to each channel.
    var subscribers: [[UInt8]: Int] {
        var counts: [[UInt8]: Int] = [:]
        for channel in marks.values.flatMap(\.channels) { counts[channel, default: 0] += 1 }
        return counts
    }

    /// Subscribes a device as the push asks that it got, or ends its subscription.
    ///
    /// Returns what is delivered by it. A push that begins a Live Activity may name a channel, and
    /// one that ends it ends the subscription.
    mutating func follow(
        _ request: JudgedRequest, _ token: DeviceToken, at now: Int64
    ) -> [JudgedRequest] {
        guard request.field("apns-push-type") == "liveactivity" else { return [] }
        let content = ActivityContent(request.body)
        if let channel = request.broadcastChannel {
            if content.event == .end { unsubscribe(token, from: [UInt8](channel.utf8)) }
            return []
        }
        guard content.event == .start, let channel = content.channel,
            channels.channel([UInt8](channel.utf8), of: request.app ?? "") != nil
        else { return [] }
        // A device that can take no further one begins its activity all the same.
        return (try? subscribe(token, to: [UInt8](channel.utf8), at: now)) ?? []
    }

    /// Brings a broadcast to one device, now or later.
    private mutating func reach(
        _ token: DeviceToken, with request: JudgedRequest, of channel: [UInt8], isKept: Bool,
        at now: Int64
    ) -> DevicePush.Fate {
        var fate = DevicePush.Fate.delivered(at: now)
        if marks[token]?.isOnline == false { fate = isKept ? store(request, token) : .notStored }
        screens.append(request, fate, to: token)
        if case .delivered = fate { _ = follow(request, token, at: now) }
        return fate
    }

    private mutating func keepLatest(_ request: JudgedRequest, of channel: [UInt8]) {
        if kept[channel] == nil, kept.count >= limits.keptBroadcasts,
            let oldest = kept.min(by: { $0.value.number < $1.value.number })
        {
            kept[oldest.key] = nil
        }
        kept[channel] = request
    }
}

extension JudgedRequest {
    /// The channel of a broadcast push; nil for every other request.
    var broadcastChannel: String? {
        guard let path = field(":path"), path.hasPrefix("/4/broadcasts/") else { return nil }
        return field("apns-channel-id")
    }
}
