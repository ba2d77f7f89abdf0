internal import Synchronization

/// Deliveries through broadcast channels.
extension SimulatorMemory {
    /// Records an accepted broadcast, and delivers it to subscribers.
    func noteBroadcast(_ request: JudgedRequest, to channel: [UInt8]) {
        contents.withLock { contents in
            var request = request
            contents.revision += 1
            contents.number += 1
            request.number = contents.number
            contents.reasons.count(request.judgement)
            contents.requests.append(contents.devices.keep(request))
            contents.recorder?.write(request, state: nil)
            for token in contents.devices.broadcast(request, to: channel) {
                contents.recorder?.writeShown(request, token: token.text, at: request.arrivedAt)
            }
            hasMarks.store(contents.devices.hasMarks, ordering: .releasing)
        }
    }

    /// Subscribes a device if the push that it has just received starts a Live Activity with a
    /// channel.
    func noteActivity(_ request: JudgedRequest, of token: ArraySlice<UInt8>) {
        guard let token = TokenBytes(token) else { return }
        contents.withLock { contents in
            guard contents.devices.marks[token]?.isOnline != false else { return }
            contents.revision += 1
            for kept in contents.devices.follow(request, token, at: request.arrivedAt) {
                contents.recorder?.writeShown(kept, token: token.text, at: request.arrivedAt)
            }
            hasMarks.store(contents.devices.hasMarks, ordering: .releasing)
        }
    }

    /// Ends all subscriptions to a channel.
    func close(_ channel: [UInt8]) {
        contents.withLock { contents in
            contents.revision += 1
            contents.devices.close(channel)
            hasMarks.store(contents.devices.hasMarks, ordering: .releasing)
        }
    }

    /// The number of subscribed devices per channel, by channel ID.
    var subscribers: [String: Int] {
        let counts = contents.withLock { $0.devices.subscribers }
        return counts.reduce(into: [:]) { $0[String(decoding: $1.key, as: UTF8.self)] = $1.value }
    }
}
