import Delivery
import Testing

/// The expected values are those of Python's `uuid.uuid5`.
@Suite struct `The apns-id of a record` {
    @Test func `is fixed by the position of the record and the group that reads it`() throws {
        let first = NotificationName(
            clusterID: "5L6g3nShT-eMCtK--X86sw", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0))
        let firstID = first.identifier(offset: 0, index: 0).description
        #expect(firstID == "e776d936-6737-5092-95ba-9d1528fdb7fa")
        let second = NotificationName(
            clusterID: "-", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 7))
        let secondID = second.identifier(offset: .max, index: 3).description
        #expect(secondID == "53977da0-6eb7-5801-bbce-de8df1f18940")
        let long = "a-rather-long-topic-name-that-needs-more-than-one-block-of-sha1"
        let third = NotificationName(
            clusterID: "mockCluster", group: "team é/b",
            topicPartition: TopicPartition(topic: long, partition: 11))
        let thirdID = third.identifier(offset: 123_456, index: 0).description
        #expect(thirdID == "c1d96faf-a94b-5345-b186-f2cb3af5bd9d")
    }

    @Test func `differs between groups that read the same record`() {
        let source = TopicPartition(topic: "shop.orders", partition: 3)
        let ids = ["apns-orders", "apns-returns"].map {
            NotificationName(clusterID: "-", group: $0, topicPartition: source)
                .identifier(offset: 7, index: 0)
        }
        #expect(ids[0] != ids[1])
    }

    @Test func `follows RFC 9562 for names of every length`() {
        var all = NotificationID(high: 0, low: 0)
        var offset: Int64 = 1
        for count in 0..<140 {
            let topic = String(repeating: "t", count: count)
            let name = NotificationName(
                clusterID: "-", group: "g",
                topicPartition: TopicPartition(topic: topic, partition: 3))
            let found = name.identifier(offset: offset, index: 0)
            all = NotificationID(high: all.high ^ found.high, low: all.low ^ found.low)
            offset = (count + 1) % 19 == 0 ? 1 : offset * 10
        }
        #expect(all.description == "664798fc-94b0-0674-1f60-9376063dc985")
    }

    @Test func `is the same however often it is computed`() {
        let name = NotificationName(
            clusterID: "-", group: "g", topicPartition: TopicPartition(topic: "t", partition: 1))
        let first = name.identifier(offset: 12_345, index: 0)
        _ = name.identifier(offset: 1, index: 10)
        let again = name.identifier(offset: 12_345, index: 0)
        #expect(again == first)
    }

    @Test func `is derived from the event's own if there are several pushes`() throws {
        let own = try #require(NotificationID("123e4567-e89b-42d3-a456-426614174000".utf8))
        let NotificationNameID = NotificationName.identifier(of: own, index: 2).description
        #expect(NotificationNameID == "9471defd-b455-5090-b32c-3bef2892fed3")
    }
}

@Suite struct `A notification ID` {
    @Test(arguments: [
        "", "123e4567-e89b-42d3-a456-42661417400", "123e4567-e89b-42d3-a456-4266141740000",
        "123e4567e89b-42d3-a456-4266141740000", "123e4567-e89b-42d3-a456-42661417400g",
    ])
    func `is not any other text`(text: String) {
        #expect(NotificationID(text.utf8) == nil)
    }

    @Test func `is written in lower case`() throws {
        let id = try #require(NotificationID("123E4567-E89B-42D3-A456-426614174ABC".utf8))
        #expect(id.description == "123e4567-e89b-42d3-a456-426614174abc")
    }
}

@Suite struct `The apns-ids of a partition` {
    /// Offsets with gaps, repetitions, steps back, more digits, and the last one.
    private static let offsets: [Int64] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 12, 13, 20, 22, 23, 24, 97, 98, 99, 100]
        + [101, 102, 103, 2, 3, 4, 5] + (9_998...10_009) + [.max - 5, .max - 4, .max - 3, .max - 2]
        + [.max - 1, .max, 1]

    @Test func `are those of its records, in whatever order they are asked for`() {
        for length in 0..<70 {
            let name = NotificationName(
                clusterID: "-", group: "g",
                topicPartition: TopicPartition(
                    topic: String(repeating: "t", count: length), partition: 3))
            var names = PartitionNames(name)
            for offset in Self.offsets {
                let found = names.identifier(
                    index: 0, own: nil, isOneOfSeveral: false, offset: offset)
                #expect(found == name.identifier(offset: offset, index: 0))
            }
        }
    }

    @Test func `are those of the notification if it has its own or is one of several`() throws {
        let name = NotificationName(
            clusterID: "-", group: "g", topicPartition: TopicPartition(topic: "t", partition: 3))
        var names = PartitionNames(name)
        for offset in Int64(0)..<9 {
            var notification = Notification()
            notification.index = offset % 3 == 1 ? 1 : 0
            notification.ownID = offset % 4 == 3 ? NotificationID(high: 1, low: 2) : nil
            notification.isOneOfSeveral = offset % 2 == 1
            let found = names.identifier(
                index: notification.index, own: notification.ownID,
                isOneOfSeveral: notification.isOneOfSeveral, offset: offset)
            #expect(found == name.identifier(of: notification, offset: offset))
        }
    }
}
