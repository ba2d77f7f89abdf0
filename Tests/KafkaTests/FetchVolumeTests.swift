import Testing

@testable import Kafka

@Suite struct `The volume of what was taken` {
    private static let capacity = (records: 400, bytes: 40_000)

    @Test func `lets the fetcher alone while little is taken`() {
        var volume = FetchVolume(capacity: Self.capacity, at: 0)
        // 99 records of 100 bytes each second.
        for second in 1...3600 {
            volume.note(records: second * 99, bytes: second * 9900, at: second * 1000)
            #expect(!volume.mayBeAsleep(at: second * 1000))
        }
    }

    @Test(arguments: [(100, 0), (0, 10_000), (5000, 500_000)])
    func `has it watched for a second after a quarter of the queue was taken`(
        records: Int, bytes: Int
    ) {
        var volume = FetchVolume(capacity: Self.capacity, at: 0)
        volume.note(records: max(0, records - 1), bytes: max(0, bytes - 1), at: 500)
        if records <= 100 { #expect(!volume.mayBeAsleep(at: 500)) }
        volume.note(records: records, bytes: bytes, at: 501)
        #expect(volume.mayBeAsleep(at: 501) && volume.mayBeAsleep(at: 1499))
        volume.note(records: records, bytes: bytes, at: 1501)
        #expect(!volume.mayBeAsleep(at: 1501))
    }

    /// Half of the queue is taken within a second, at whatever time that begins.
    @Test func `notices that a full queue was emptied, however it is spread over windows`() {
        for first in stride(from: 0, to: 2000, by: 7) {
            for span in [1, 10, 250, 999] {
                var volume = FetchVolume(capacity: Self.capacity, at: 0)
                for now in stride(from: 0, through: first + span, by: 1) {
                    let part = max(0, now - first) * 200 / span
                    guard now % 1000 == 0 || part >= volume.alarm.records || now == first + span
                    else { continue }
                    volume.note(records: part, bytes: 0, at: now)
                }
                #expect(volume.mayBeAsleep(at: first + span), "\(first) \(span)")
            }
        }
    }

    @Test func `sets its alarm to a quarter more than was taken at the start of a window`() {
        var volume = FetchVolume(capacity: Self.capacity, at: 0)
        #expect(volume.alarm == (100, 10_000))
        volume.note(records: 30, bytes: 3000, at: 999)
        #expect(volume.alarm == (100, 10_000))
        volume.note(records: 60, bytes: 6000, at: 1000)
        #expect(volume.alarm == (160, 16_000))
    }
}
