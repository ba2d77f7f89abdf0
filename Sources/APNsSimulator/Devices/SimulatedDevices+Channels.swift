/// Subscriptions to broadcast channels, and deliveries to subscribers.
extension SimulatedDevices {
    /// How long a channel stores its latest push at most: 8 hours, in milliseconds.
    static let maxBroadcastStorage: Int64 = 8 * 3_600_000

    /// Subscribes a device to a channel, and delivers the push that the channel stores.
    ///
    /// Returns the pushes delivered because of it.
    mutating func subscribe(
        _ token: TokenBytes, to channel: [UInt8], at now: Int64
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
        let state = reach(token, with: latest, of: channel, isKept: true, at: now)
        return state == .delivered(at: now) ? [latest] : []
    }

    /// Unsubscribes a device from a channel.
    mutating func unsubscribe(_ token: TokenBytes, from channel: [UInt8]) {
        guard var mark = marks[token], mark.channels.contains(channel) else { return }
        mark.channels.removeAll { $0 == channel }
        keep(mark, token)
    }

    /// Delivers a push to all subscribers of its channel; returns the devices that received it.
    mutating func broadcast(
        _ request: JudgedRequest, to channel: [UInt8]
    ) -> [TokenBytes] {
        let now = request.arrivedAt
        let isKept = channels.channel(channel)?.storesLatest == true
        if isKept, !Self.isExpired(request, at: now) { keepLatest(request, of: channel) }
        let subscribers = marks.filter { $0.value.channels.contains(channel) }.keys
            .sorted { $0.text < $1.text }
        return subscribers.filter {
            reach($0, with: request, of: channel, isKept: isKept, at: now) == .delivered(at: now)
        }
    }

    /// Removes a deleted channel with its subscriptions and stored pushes.
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

    /// The number of subscribed devices per channel.
    var subscribers: [[UInt8]: Int] {
        var counts: [[UInt8]: Int] = [:]
        for channel in marks.values.flatMap(\.channels) { counts[channel, default: 0] += 1 }
        return counts
    }

    /// Subscribes a device, or ends its subscription, as requested by a delivered push.
    ///
    /// Returns the pushes delivered because of it. A push that starts a Live Activity may contain a
    /// channel, and one that ends it ends the subscription.
    mutating func follow(
        _ request: JudgedRequest, _ token: TokenBytes, at now: Int64
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
        // A device at its limit of channels starts its activity nevertheless.
        return (try? subscribe(token, to: [UInt8](channel.utf8), at: now)) ?? []
    }

    /// Delivers a broadcast to one device, now or later.
    private mutating func reach(
        _ token: TokenBytes, with request: JudgedRequest, of channel: [UInt8], isKept: Bool,
        at now: Int64
    ) -> DevicePush.State {
        var state = DevicePush.State.delivered(at: now)
        if marks[token]?.isOnline == false { state = isKept ? store(request, token) : .notStored }
        screens.append(request, state, to: token)
        if case .delivered = state { _ = follow(request, token, at: now) }
        return state
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
