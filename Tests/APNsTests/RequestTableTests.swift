import Delivery
import Testing

@testable import APNs

@Suite struct `The open requests of a connection` {
    private let id = NotificationID(high: 0, low: 1)

    @Test func `are not closed twice`() {
        var table = RequestTable()
        let number = table.open(tag: 7, id: id, sentAt: .distantPast, pull: 0)
        #expect(table.close(number) == 7)
        #expect(table.close(number) == nil)
        #expect(table.count == 0)
    }

    @Test(arguments: [-1, 1, Int.max, Int.min])
    func `ignore an unknown number`(_ number: Int) {
        var table = RequestTable()
        _ = table.open(tag: 7, id: id, sentAt: .distantPast, pull: 0)
        #expect(table[number] == nil)
        #expect(table.close(number) == nil)
        #expect(table.count == 1)
    }

    @Test func `keep their order whichever of them ends first`() {
        var generator = SystemRandomNumberGenerator()
        var table = RequestTable()
        var model: [(number: Int, tag: UInt64)] = []
        for tag in UInt64(0)..<2000 {
            let sentAt = Instant(nanoseconds: tag)
            model.append((table.open(tag: tag, id: id, sentAt: sentAt, pull: 0), tag))
            while model.count > 20 || (!model.isEmpty && Bool.random(using: &generator)) {
                let ended = model.remove(at: Int.random(in: 0..<model.count, using: &generator))
                #expect(table.close(ended.number) == ended.tag)
            }
            #expect(table.count == model.count)
            #expect(table.oldestSentAt?.nanoseconds == model.first?.tag)
            #expect(table.oldest == model.first?.number ?? -1)
        }
    }

    @Test func `use the numbers of those that ended again`() {
        var table = RequestTable()
        for tag in UInt64(0)..<1000 {
            let number = table.open(tag: tag, id: id, sentAt: .distantPast, pull: 0)
            #expect(number < 2)
            if tag > 0 { _ = table.close(table.oldest) }
        }
    }
}
