import Contracts
import Delivery
import Foundation
import Testing

/// The metadata of a commit, as a release has written it.
private struct PublishedCommit: Decodable {
    /// A range of done offsets, so many times, every so many offsets.
    struct Ranges: Decodable { let from, to, times, every: Int64 }
    /// What it shows.
    let name: String
    let metadata: String
    /// The committed offset.
    let next: Int64
    let starts: Int
    let wasSent: Bool
    let partitions: Int?
    let time: Int64?
    let done: [Ranges]
    /// False for forms that are only read.
    let isWritten: Bool

    var offsets: CompletedOffsets {
        CompletedOffsets(
            ranges: done.flatMap { ranges in
                (0..<ranges.times).map { number in
                    ranges.from + number * ranges.every..<ranges.to + number * ranges.every
                }
            })
    }

    static func all(of contract: Contract) throws -> [Self] {
        try JSONDecoder().decode(
            [Self].self, from: Data(contract.text("commit-metadata.json").utf8))
    }
}

@Suite struct `The commit metadata that a release has written` {
    @Test(arguments: Contract.having("commit-metadata.json"))
    func `says what it said then`(contract: Contract) throws {
        for commit in try PublishedCommit.all(of: contract) {
            let message = contract.broken("the metadata of '\(commit.name)' is read otherwise")
            let start = StartMark(metadata: commit.metadata, next: commit.next)
            #expect(
                start == StartMark(starts: commit.starts, wasSent: commit.wasSent), "\(message)")
            let log = LogMark(metadata: commit.metadata)
            #expect(
                log == LogMark(partitionCount: commit.partitions, time: commit.time), "\(message)")
            let read = CompletedOffsets(text: commit.metadata, from: commit.next)
            #expect(read == commit.offsets, "\(message)")
        }
    }

    @Test(arguments: Contract.having("commit-metadata.json"))
    func `is what this program writes, so that the release can read it again`(
        contract: Contract
    ) throws {
        for commit in try PublishedCommit.all(of: contract) where commit.isWritten {
            let written =
                StartMark(starts: commit.starts, wasSent: commit.wasSent).text
                + LogMark(partitionCount: commit.partitions, time: commit.time).text
                + commit.offsets.text(from: commit.next)
            let message = contract.broken("the metadata of '\(commit.name)' is written otherwise")
            #expect(written == commit.metadata, "\(message)")
        }
    }
}

@Suite struct `The apns-id that a release has derived` {
    /// An identifier, with all that it follows from.
    private struct Identifier: Decodable {
        let cluster, group, topic: String
        let partition: Int32
        let offset: Int64
        let index: Int
        /// The event's own, in place of the record's position.
        let own: String?
        let apnsID: String
    }

    @Test(arguments: Contract.having("apns-ids.json"))
    func `is derived from the same record again`(contract: Contract) throws {
        let all = try JSONDecoder().decode(
            [Identifier].self, from: Data(contract.text("apns-ids.json").utf8))
        for known in all {
            let name = NotificationName(
                clusterID: known.cluster, group: known.group,
                topicPartition: TopicPartition(topic: known.topic, partition: known.partition))
            let own = try known.own.map { try #require(NotificationID($0.utf8)) }
            let found =
                own.map { NotificationName.identifier(of: $0, index: known.index) }
                ?? name.identifier(offset: known.offset, index: known.index)
            let message = contract.broken("the apns-id \(known.apnsID) is another one now")
            #expect(found.description == known.apnsID, "\(message)")
        }
    }
}

@Suite struct `The drop reasons of a release` {
    @Test(arguments: Contract.having("drop-reasons.txt"))
    func `are still among those of this program`(contract: Contract) throws {
        let missing = try contract.missing(
            "drop-reasons.txt", from: DropReason.allCases.map(\.rawValue))
        #expect(missing == [])
    }

    @Test func `are all listed`() throws {
        let found = DropReason.allCases.map(\.rawValue)
        #expect(try Contract.unlisted("drop-reasons.txt", from: found) == [])
    }
}
