internal import Delivery

/// What a record source promises to a single member.
extension ConformanceTrial {
    func everyRecord() throws {
        let topic = try topic(partitions: 3, records: 40)
        let member = try join(topic)
        member.limit = 0
        turn(seconds: 1)
        expect(member.records.isEmpty, "took \(member.records.count) records instead of none")
        member.limit = 7
        turn("all records come") { member.records.count >= 120 }
        turn(seconds: 1)
        for partition in 0..<3 as Range<Int32> {
            let seen = member.records.filter { $0.partition == partition }
            expect(seen.map(\.offset) == Array(0..<40), "offsets: \(seen.map(\.offset))")
            let written = (0..<40).map { Self.record($0, partition) }
            expect(seen.map(\.content) == written, "differs from what was written: \(seen)")
            expect(seen.allSatisfy { $0.timestamp != nil }, "a record has no timestamp")
        }
        closeAll()
    }

    func restart() throws {
        let topic = try topic(partitions: 1, records: 10)
        let first = try join(topic)
        turn("all records come") { first.records.count >= 10 }
        guard let id = first.held[0] else { return expect(false, "nothing is assigned") }
        let report = commit(first, id, next: 4, metadata: "some metadata")
        expect(report?.failure == nil, "the commit failed: \(String(describing: report))")
        close(first)
        let second = try join(topic)
        turn("the rest comes again") { second.records.count >= 6 }
        turn(seconds: 1)
        expect(second.offsets(0) == Array(4..<10), "offsets: \(second.offsets(0))")
        expect(second.assigned.first?.committed == 4, "assigned: \(second.assigned)")
        expect(second.assigned.first?.metadata == "some metadata", "assigned: \(second.assigned)")
        closeAll()
    }

    func pause() throws {
        let topic = try topic(partitions: 2, records: 5)
        let member = try join(topic)
        turn("all records come") { member.records.count >= 10 }
        guard let id = member.held[0] else { return expect(false, "nothing is assigned") }
        member.pause(id)
        for partition in 0..<2 as Range<Int32> { try append(5, to: topic, partition, from: 5) }
        turn("the other partition flows") { member.offsets(1).count >= 10 }
        turn(seconds: 1)
        expect(member.offsets(0).count == 5, "offsets: \(member.offsets(0))")
        expect(member.held[0] == id, "the paused partition was assigned again")
        member.resume(id)
        turn("the resumed partition flows") { member.offsets(0).count >= 10 }
        for partition in 0..<2 as Range<Int32> {
            let offsets = member.offsets(partition)
            expect(offsets == Array(0..<10), "offsets: \(offsets)")
        }
        closeAll()
    }

    func lostPosition() throws {
        let topic = try topic(partitions: 1, records: 3)
        let first = try join(topic)
        turn("all records come") { first.records.count >= 3 }
        guard let id = first.held[0] else { return expect(false, "nothing is assigned") }
        let report = commit(first, id, next: 500, metadata: "of another log")
        expect(report?.failure == nil, "the commit failed: \(String(describing: report))")
        close(first)
        let second = try join(topic)
        turn("all records come again") { second.records.count >= 3 }
        expectReset(second, from: 500, count: 3)
        closeAll()
    }

    func recreated() throws {
        let topic = try topic(partitions: 1, records: 20)
        let member = try join(topic)
        turn("all records come") { member.records.count >= 20 }
        guard let id = member.held[0] else { return expect(false, "nothing is assigned") }
        let report = commit(member, id, next: 20)
        expect(report?.failure == nil, "the commit failed: \(String(describing: report))")
        try kafka.recreateTopic(topic)
        try append(5, to: topic, 0)
        turn("the new records come") { member.records.count >= 25 }
        expectReset(member, from: 20, count: 5)
        closeAll()
    }

    /// A member has read a log from its beginning under a new assignment, which alone counts.
    private func expectReset(_ member: ObservedSource, from old: Int64, count: Int64) {
        turn(seconds: 1)
        guard let former = member.assigned.first, let new = member.assigned.last else {
            return expect(false, "nothing is assigned")
        }
        expect(member.replaced == [former.id], "replaced: \(member.replaced)")
        expect(new.reset?.cause == .replaced, "assigned: \(new)")
        expect(new.reset?.from == old && new.reset?.to == 0, "assigned: \(new)")
        let done = CompletedOffsets(text: new.metadata, from: 0)
        expect(new.committed ?? 0 == 0 && done.ranges.isEmpty, "assigned: \(new)")
        let offsets = member.offsets(0, under: new.id)
        expect(offsets == Array(0..<count), "offsets: \(offsets)")
        let late = commit(member, former.id, next: old + 1)
        expect(late?.failure != nil, "a commit for a log that is gone was accepted")
        let own = commit(member, new.id, next: count)
        expect(own?.failure == nil, "the commit failed: \(String(describing: own))")
    }
}
