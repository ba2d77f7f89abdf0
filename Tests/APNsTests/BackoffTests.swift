import Testing

@testable import APNs

@Suite struct `A back-off` {
    @Test(arguments: [0, 1, UInt64.max / 2, UInt64.max])
    func `is never shorter than a second and never longer than a minute`(_ chance: UInt64) {
        var backoff = Backoff(minimum: .seconds(1), maximum: .seconds(60))
        for _ in 0..<100 {
            let pause = backoff.failed(chance: chance)
            #expect(pause >= .seconds(1))
            #expect(pause <= .seconds(60))
        }
    }

    @Test func `doubles with each failure up to its maximum`() {
        var backoff = Backoff(minimum: .seconds(1), maximum: .seconds(60))
        let pauses = (0..<8).map { _ in backoff.failed(chance: 0) / .seconds(1) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 30, 30])
    }

    @Test func `is random in its upper half, also when it is the longest`() {
        let pauses = [0, UInt64.max / 2, UInt64.max].map { chance in
            var backoff = Backoff(minimum: .seconds(1), maximum: .seconds(60))
            for _ in 0..<20 { _ = backoff.failed(chance: chance) }
            return backoff.failed(chance: chance)
        }
        #expect(pauses[0] == .seconds(30))
        #expect(Set(pauses).count == 3)
        #expect(pauses.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(60) })
    }

    @Test func `is random`() {
        var one = Backoff(minimum: .seconds(1), maximum: .seconds(60))
        var other = one
        #expect(one.failed(chance: 7) != other.failed(chance: 400_000_000))
    }

    @Test func `starts from the beginning after a success`() {
        var backoff = Backoff(minimum: .seconds(1), maximum: .seconds(60))
        _ = backoff.failed(chance: 0)
        _ = backoff.failed(chance: 0)
        backoff.succeeded()
        #expect(backoff.failed(chance: 0) == .seconds(1))
    }
}
