internal import Delivery

/// The check of one ``KafkaPromise``.
final class ConformanceTrial {
    let kafka: any KafkaUnderTest
    private var words: [String] = []
    private var members: [ObservedSource] = []

    init(_ kafka: any KafkaUnderTest) { self.kafka = kafka }

    var violations: [String] { words + members.flatMap(\.violations) }

    /// Notes a violation unless a condition holds.
    func expect(_ isKept: Bool, _ violation: @autoclosure () -> String) {
        if !isKept { words.append(String(violation().prefix(400))) }
    }

    func violate(_ violations: [String]) { words += violations }

    /// Adds a member to the group.
    func join(_ topic: String) throws -> ObservedSource {
        let member = try kafka.join(topic)
        members.append(member)
        return member
    }

    /// A topic with so many records in each partition.
    func topic(partitions: Int32, records: Int) throws -> String {
        let topic = try kafka.createTopic(partitions: Int(partitions))
        for partition in 0..<partitions { try append(records, to: topic, partition) }
        return topic
    }

    /// Appends records, the first of which has this number.
    func append(_ count: Int, to topic: String, _ partition: Int32, from first: Int = 0) throws {
        let records = (first..<first + count).map { Self.record($0, partition) }
        try kafka.append(records, to: TopicPartition(topic: topic, partition: partition))
    }

    /// A record with a key, a value and headers, or without.
    static func record(_ number: Int, _ partition: Int32?) -> KafkaRecord {
        let text = Array("\(number)".utf8)
        let headers = [
            KafkaRecord.Header("a", text), KafkaRecord.Header("b", nil),
            KafkaRecord.Header("a", []),
        ]
        return KafkaRecord(
            key: number % 3 == 0 ? nil : text,
            value: number % 5 == 4 ? nil : Array("value \(number)".utf8),
            headers: number % 2 == 0 ? headers : [], partition: partition)
    }

    /// Lets all members turn until a condition holds, which counts as a violation otherwise.
    @discardableResult
    func turn(
        _ what: @autoclosure () -> String, seconds: Int64 = 180, until isOver: () -> Bool
    ) -> Bool {
        let isInTime = turn(seconds: seconds, until: isOver)
        expect(isInTime, "not within \(seconds) seconds: \(what())")
        return isInTime
    }

    /// Lets all members turn until a condition holds or time is up; false then.
    @discardableResult
    func turn(seconds: Int64, until isOver: () -> Bool = { false }) -> Bool {
        let end = kafka.now + .seconds(seconds)
        repeat {
            for member in members { member.turn() }
            if isOver() { return true }
            kafka.wait()
        } while kafka.now < end
        return false
    }

    /// Commits an offset and waits for the report, which it returns if there is one in time.
    func commit(
        _ member: ObservedSource, _ id: AssignmentID, next: Int64, metadata: String = ""
    ) -> CommitReport? {
        let count = member.reports.count
        turn("a commit is allowed") { member.mayCommit }
        member.commit(id, next: next, metadata: metadata)
        guard turn("a commit is reported", until: { member.reports.count > count }) else {
            return nil
        }
        return member.reports.last
    }

    /// Closes a member, which is not turned any more.
    func close(_ member: ObservedSource) {
        violate(member.violations)
        members.removeAll { $0 === member }
        member.close()
    }

    /// Closes what is still open.
    func closeAll() { for member in members { close(member) } }
}
