import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct `A journal of requests` {
    private static func request(
        _ number: Int, body: [UInt8] = [], judgement: Judgement? = .accepted
    ) -> JudgedRequest {
        var request = JudgedRequest(
            arrivedAt: 1_800_000_000_123, fields: [([0x61], [0x62])], body: body,
            judgement: judgement, identifier: [UInt8]("id-\(number)".utf8))
        request.number = number
        return request
    }

    private static var judgements: [Judgement?] {
        var busy = Judgement(status: 503, reason: "Shutdown")
        busy.retryAfter = 0
        var odd = Judgement(status: 200)
        odd.ownBody = [UInt8]("{}".utf8)
        var all = Judgement(status: 410, reason: "Unregistered", timestamp: 1_800_000_000_000)
        all.ownBody = []
        all.retryAfter = 86_400
        all.channelID = [UInt8]("dHN0LXNyY2gtY2hubA==".utf8)
        all.isAboutBroadcasts = true
        return [
            nil, .accepted, Judgement(status: 400, reason: "BadDeviceToken"), busy, odd, all,
            Judgement(status: 0, reason: ""),
        ]
    }

    @Test func `returns every part of a response`() throws {
        let journal = RequestJournal(limit: 1 << 20)
        let positions = Self.judgements.enumerated().map { number, judgement in
            journal.append(Self.request(number, judgement: judgement))
        }
        let found = positions.compactMap { journal.request(at: $0) }
        #expect(found.map(\.judgement) == Self.judgements)
        #expect(found.map(\.number) == Array(Self.judgements.indices))
        // A new property of a judgement or a request must be added to the journal.
        #expect(Mirror(reflecting: Judgement.accepted).children.count == 7)
        #expect(Mirror(reflecting: Self.request(1)).children.count == 7)
    }

    @Test func `returns a request byte by byte`() throws {
        let fields: [(name: [UInt8], value: [UInt8])] = [
            ([UInt8](":path".utf8), [UInt8]("/3/device/ab".utf8)), ([], []),
            ([UInt8]("x".utf8), [UInt8](repeating: 0, count: 70_000)), ([0xFF], [0, 0xFF]),
        ]
        let body = (0..<5120).map { UInt8(truncatingIfNeeded: $0) }
        let journal = RequestJournal(limit: 1 << 20)
        _ = journal.append(Self.request(1))
        let position = journal.append(
            JudgedRequest(
                arrivedAt: 1_800_000_000_123, fields: FieldList(fields),
                body: body, judgement: nil, identifier: [1, 2], certificateTopic: [3, 4]))
        let found = try #require(journal.request(at: position))
        #expect(found.fields.map(\.name) == fields.map(\.name))
        #expect(found.fields.map(\.value) == fields.map(\.value))
        #expect(found.body == body)
        #expect(found.identifier == [1, 2])
        #expect(found.certificateTopic == [3, 4])
        #expect(found.arrivedAt == 1_800_000_000_123)
    }

    @Test(arguments: [1, 4_000, 100_000])
    func `forgets the oldest request, and never a part of one`(limit: Int) throws {
        let journal = RequestJournal(limit: limit)
        var positions: [RequestJournal.Position] = []
        for number in 0..<300 {
            positions.append(
                journal.append(
                    Self.request(number, body: Array(repeating: 7, count: number * 13 % 900))))
            let found = positions.map { journal.request(at: $0)?.number }
            let kept = found.compactMap { $0 }
            #expect(kept == Array((number - kept.count + 1)...number))
            #expect(kept.count * 1_024 <= limit + 2_048)
        }
    }

    @Test func `links a push to the one before, until that is forgotten`() throws {
        let journal = RequestJournal(limit: 8_000)
        var latest: RequestJournal.Position = -1
        for number in 0..<20 {
            latest = journal.append(
                Self.request(number), state: .delivered(at: Int64(number)), previous: latest)
        }
        var numbers: [Int] = []
        while let (push, previous) = journal.push(at: latest) {
            #expect(push.state == .delivered(at: Int64(push.request.number)))
            numbers.append(push.request.number)
            latest = previous
        }
        #expect(numbers.first == 19)
        #expect((3...7).contains(numbers.count))
        #expect(numbers == Array((20 - numbers.count...19).reversed()))
    }

    @Test func `keeps what happened to a push while it keeps the push`() throws {
        let journal = RequestJournal(limit: 8_000)
        let first = journal.append(Self.request(0), state: .stored)
        #expect(journal.settle(0, from: first, limit: 9, as: .replaced))
        #expect(!journal.settle(1, from: first, limit: 9, as: .expired))
        #expect(try #require(journal.push(at: first)).push.state == .replaced)
        for number in 1..<9 { _ = journal.append(Self.request(number)) }
        #expect(journal.push(at: first)?.push.state == nil)
        #expect(!journal.settle(0, from: first, limit: 9, as: .expired))
    }

    @Test func `recognizes a request that is not a push to a device`() {
        let journal = RequestJournal(limit: 8_000)
        let position = journal.append(Self.request(0))
        #expect(journal.push(at: position)?.push.state == nil)
        #expect(journal.request(at: position)?.number == 0)
        #expect(journal.request(at: -1) == nil)
    }
}
