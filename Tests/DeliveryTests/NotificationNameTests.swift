import Delivery
import Testing

/// The expected values are those of Python's `uuid.uuid5`.
@Suite struct `The apns-id of a record` {
    @Test func `is fixed for ever by its place`() {
        let first = NotificationName(
            clusterID: "5L6g3nShT-eMCtK--X86sw",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0))
        let firstID = first.identifier(offset: 0, index: 0).description
        #expect(firstID == "39f04288-6aa9-5334-b4e9-5a2dd7b39d76")
        let second = NotificationName(
            clusterID: "-", topicPartition: TopicPartition(topic: "shop.orders", partition: 7))
        let secondID = second.identifier(offset: .max, index: 3).description
        #expect(secondID == "a078875a-5a45-51cf-8767-d267d1dda8c6")
        let long = "a-rather-long-topic-name-that-needs-more-than-one-block-of-sha1"
        let third = NotificationName(
            clusterID: "mockCluster", topicPartition: TopicPartition(topic: long, partition: 11))
        let thirdID = third.identifier(offset: 123_456, index: 0).description
        #expect(thirdID == "bd09b366-7d8d-5d2f-838d-be28ee366354")
    }

    @Test func `is that of RFC 9562 for names of every length`() {
        var all = NotificationID(high: 0, low: 0)
        var offset: Int64 = 1
        for count in 0..<140 {
            let topic = String(repeating: "t", count: count)
            let name = NotificationName(
                clusterID: "-", topicPartition: TopicPartition(topic: topic, partition: 3))
            let found = name.identifier(offset: offset, index: 0)
            all = NotificationID(high: all.high ^ found.high, low: all.low ^ found.low)
            offset = (count + 1) % 19 == 0 ? 1 : offset * 10
        }
        #expect(all.description == "46b55015-7e6a-07c8-2d75-973cc404b9f9")
    }

    @Test func `is the same however often it is asked for`() {
        let name = NotificationName(
            clusterID: "-", topicPartition: TopicPartition(topic: "t", partition: 1))
        let first = name.identifier(offset: 12_345, index: 0)
        _ = name.identifier(offset: 1, index: 10)
        let again = name.identifier(offset: 12_345, index: 0)
        #expect(again == first)
    }

    @Test func `follows from the event's own where there are several`() throws {
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
    func `is no other text`(text: String) {
        #expect(NotificationID(text.utf8) == nil)
    }

    @Test func `is written in lower case`() throws {
        let id = try #require(NotificationID("123E4567-E89B-42D3-A456-426614174ABC".utf8))
        #expect(id.description == "123e4567-e89b-42d3-a456-426614174abc")
    }
}
