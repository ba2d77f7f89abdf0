import Delivery
import Testing

@testable import Kafka

@Suite struct `A lost connection to Kafka` {
    private func suspicion() -> OutageSuspicion {
        var suspicion = OutageSuspicion()
        suspicion.responded(brokers: 3, knowing: 0)
        suspicion.raise("3/3 brokers are down", "Disconnected")
        return suspicion
    }

    @Test func `is no outage if a broker responds within two seconds`() {
        var suspicion = suspicion()
        #expect(!suspicion.isSettled)
        suspicion.failed(from: 1000, to: 1500)
        suspicion.failed(from: 2000, to: 2999)
        #expect(suspicion.outage == nil)
        suspicion.responded(brokers: 3, knowing: 1)
        #expect(suspicion.isSettled && suspicion.outage == nil)
        // The time of an earlier loss does not count.
        suspicion.raise("3/3 brokers are down", "Disconnected")
        suspicion.failed(from: 3500, to: 4000)
        #expect(suspicion.outage == nil)
    }

    @Test func `is an outage after two seconds of failed requests, until a broker responds`() {
        var suspicion = suspicion()
        suspicion.failed(from: 1000, to: 1500)
        suspicion.failed(from: 2000, to: 3000)
        #expect(suspicion.outage == KafkaOutage(brokers: 3, detail: "Disconnected"))
        suspicion.raise("3/3 brokers are down", "Connection refused")
        #expect(suspicion.outage?.detail == "Connection refused")
        suspicion.responded(brokers: 3, knowing: 2)
        #expect(suspicion.isSettled && suspicion.outage == nil)
    }

    @Test func `is not refuted by the response to a request from before`() {
        var suspicion = suspicion()
        suspicion.responded(brokers: 3, knowing: 0)
        #expect(!suspicion.isSettled)
    }

    @Test func `counts the brokers of the report until one has responded`() {
        var suspicion = OutageSuspicion()
        #expect(!suspicion.isSettled)
        suspicion.raise("2/2 brokers are down", "refused")
        suspicion.failed(from: 0, to: 5000)
        #expect(suspicion.outage == KafkaOutage(brokers: 2, detail: "refused"))
    }
}

@Suite(.serialized) struct `An outage of Kafka` {
    @Test func `lasts from the end of the last connection until a broker responds`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a"], cluster.properties)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 1 })
        #expect(member.consumer.outage == nil)
        cluster.setBrokerDown(1)
        #expect(turn(member) { member.consumer.outage != nil })
        #expect(member.consumer.outage?.brokers == 1)
        #expect(member.failures.contains { $0.code == "_ALL_BROKERS_DOWN" })
        #expect(member.failures.allSatisfy { $0.isAboutConnection }, "\(member.failures)")
        cluster.setBrokerUp(1)
        #expect(turn(member) { member.consumer.outage == nil })
        member.consumer.close()
    }

    @Test func `is none while one of several brokers responds`() throws {
        let cluster = try EmbeddedCluster(brokers: 3)
        try cluster.createTopic("orders", partitions: 3)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.assigned.count == 3 })
        cluster.setBrokerDown(1)
        cluster.setBrokerDown(2)
        _ = turn(member, seconds: 3) { member.consumer.outage != nil }
        #expect(member.consumer.outage == nil)
        cluster.setBrokerDown(3)
        #expect(turn(member) { member.consumer.outage?.brokers == 3 })
        cluster.setBrokerUp(2)
        #expect(turn(member) { member.consumer.outage == nil })
        member.consumer.close()
    }

    @Test func `does not keep a member from closing`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        let member = try Member(cluster.properties)
        #expect(turn(member) { !member.assigned.isEmpty })
        cluster.setBrokerDown(1)
        #expect(turn(member) { member.consumer.outage != nil })
        member.consumer.close()
    }
}

@Suite(.serialized) struct `An error about a topic` {
    @Test func `names it`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        cluster.failTopic("orders", code: 29)
        let member = try Member(cluster.properties)
        #expect(
            turn(member) { member.failures.contains { $0.code == "TOPIC_AUTHORIZATION_FAILED" } })
        #expect(
            member.failures.filter { $0.code == "TOPIC_AUTHORIZATION_FAILED" }
                .allSatisfy { $0.detail.contains("orders") }, "\(member.failures)")
        member.consumer.close()
    }
}

@Suite(.serialized) struct `The end of a partition's log` {
    @Test func `is known once something was fetched`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b"], cluster.properties)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 2 })
        let id = try #require(member.assigned.first?.id)
        #expect(member.consumer.end(of: id) == 2)
        #expect(member.consumer.end(of: AssignmentID(99)) == nil)
        member.consumer.close()
    }
}

@Suite struct `The lines of librdkafka` {
    @Test func `count once, whichever thread writes them and how often`() {
        var lines = LibraryLines()
        let line = { (reason: String, level: Int) in
            KafkaLog(level: level, facility: "FAIL", message: reason)
        }
        let refused = "localhost:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: refused"
        let isNew = [
            lines.isNew(line("[thrd:a]: \(refused) (after 0ms in state CONNECT)", 3)),
            lines.isNew(line("[thrd:b]: \(refused) (after 2ms in state CONNECT)", 3)),
            lines.isNew(line("[thrd:b]: something else", 3)),
            // Lines that the user asked for with `debug` are all written.
            lines.isNew(line("same", 7)), lines.isNew(line("same", 7)),
        ]
        #expect(isNew == [true, false, true, true, true])
        #expect(
            line("[thrd:a]: \(refused)", 3).plainMessage
                == "localhost:1: Connect to 127.0.0.1:1 failed: refused")
    }
}
