import Delivery
import Engine
import Synchronization
import Testing

@testable import Bridge

@Suite struct `The workers of a process` {
    private let lock = SoleRecordLock()
    private let now = Instant.distantPast + .seconds(100)

    private func standing(_ number: Int, wants: Bool = false, after: Duration = .zero)
        -> Engine.Standing
    {
        lock.standing(of: number, wants: wants, at: now + after)
    }

    @Test func `have one record alone at a time, once nothing else is in flight`() {
        let (first, second) = (lock.join {}, lock.join {})
        #expect(standing(first) == .free && standing(second) == .free)
        #expect(standing(first, wants: true) == .ownTurn(areOthersQuiet: false))
        #expect(standing(second, wants: true) == .othersTurn)
        lock.noteQuiet(second)
        #expect(standing(first, wants: true) == .ownTurn(areOthersQuiet: true))
        #expect(standing(first) == .free)
        #expect(standing(second, wants: true) == .ownTurn(areOthersQuiet: false))
        #expect(standing(first) == .othersTurn)
        lock.noteQuiet(first)
        #expect(standing(second, wants: true) == .ownTurn(areOthersQuiet: true))
    }

    @Test func `wake each other`() {
        let woken = Mutex<[Int]>([])
        let first = lock.join { woken.withLock { $0.append(1) } }
        let second = lock.join { woken.withLock { $0.append(2) } }
        _ = standing(first, wants: true)
        lock.noteQuiet(second)
        lock.noteQuiet(second)
        _ = standing(first)
        #expect(woken.withLock { $0 } == [2, 1, 2])
    }

    @Test func `need nobody else if there is one`() {
        let only = lock.join {}
        #expect(standing(only, wants: true) == .ownTurn(areOthersQuiet: true))
    }

    @Test func `wait no longer than a minute for another`() {
        let (first, second) = (lock.join {}, lock.join {})
        _ = standing(first, wants: true)
        #expect(standing(second, after: .seconds(59)) == .othersTurn)
        #expect(standing(second, after: .seconds(60)) == .free)
    }

    @Test func `do not wait for one that has ended`() {
        let (first, second) = (lock.join {}, lock.join {})
        _ = standing(first, wants: true)
        lock.leave(first)
        #expect(standing(second, wants: true) == .ownTurn(areOthersQuiet: true))
        let third = lock.join {}
        #expect(standing(second, wants: true) == .ownTurn(areOthersQuiet: false))
        lock.leave(third)
        #expect(standing(second, wants: true) == .ownTurn(areOthersQuiet: true))
    }
}
