package import Configuration
package import Delivery

/// What the headers of a dead letter say, and the record that replays it.
package struct StoredDeadLetter {
    /// The connector that wrote it.
    package let connector: String
    /// The outcome's reason.
    package let reason: String
    /// Which notification of the record it is.
    package let index: Int
    /// Where its event is.
    package let origin: RecordOrigin
    /// True when the value was left out, so that nothing can be sent again.
    package let isWithoutValue: Bool
    /// True when the first dead letter of the same event has the value, and so has the event.
    package let hasValueElsewhere: Bool
    /// How often its event was replayed before.
    package let replays: Int

    private let id: String
    /// The headers of the event.
    private let others: [ResultRecord.Header]
    private let originHeaders: [ResultRecord.Header]

    /// Reads the headers; nil when they are not those of a dead letter of the bridge.
    package init?(headers: [ResultRecord.Header]) {
        let prefix = BridgeHeader.prefix.description
        var own: [String: String] = [:]
        for (name, value) in headers where name.hasPrefix(prefix) {
            own[String(name.dropFirst(prefix.count))] = value.map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        guard let connector = own["connector"], let reason = own["reason"],
            let id = own["apns-id"], NotificationID(Array(id.utf8)) != nil,
            let index = own["index"].flatMap({ Int($0) }),
            let topic = own["topic"], RetryRecord.isTopic(topic),
            let partition = own["partition"].flatMap({ Int32($0) }),
            let offset = own["offset"].flatMap({ Int64($0) })
        else { return nil }
        self.connector = connector
        self.reason = reason
        self.id = id
        self.index = index
        origin = RecordOrigin(
            topicPartition: TopicPartition(topic: topic, partition: partition), offset: offset,
            timestamp: own["timestamp"].flatMap { Int64($0) })
        isWithoutValue = own["value-omitted"] != nil
        hasValueElsewhere = own["value-elsewhere"] != nil
        replays = max(0, own["replays"].flatMap { Int($0) } ?? 0)
        others = headers.filter { !$0.name.hasPrefix(prefix) }
        originHeaders = ["topic", "partition", "offset", "timestamp"].compactMap { name in
            own[name].map { (name: name, value: [UInt8]?(Array($0.utf8))) }
        }
    }

    /// The headers of the record that sends it again, sealed if there are keys.
    package func headersOfReplay(
        key: [UInt8]?, value: [UInt8]?, sealedBy seal: SealKeys?
    ) -> [ResultRecord.Header] {
        guard let seal else { return headersOfReplay }
        return headersOfReplay
            + [seal.seal(.replay, key: key, value: value, headers: headersOfReplay)]
    }

    /// The headers of the record that sends it again.
    package var headersOfReplay: [ResultRecord.Header] {
        others
            + RetryRecord.replayHeaders(id: id, index: String(index), originHeaders: originHeaders)
            + [(BridgeHeader.replays.description, Array(String(replays + 1).utf8))]
    }
}
