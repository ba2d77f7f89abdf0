import Testing

@testable import TLS

@Suite struct `Waiting ciphertext` {
    private static func text(_ queue: borrowing ByteQueue) -> [UInt8] {
        unsafe Array(queue.waiting)
    }

    @Test func `is taken in order, however much is taken and added at a time`() {
        var queue = ByteQueue()
        var generator = SystemRandomNumberGenerator()
        var model: [UInt8] = []
        var next: UInt8 = 0
        for _ in 0..<2000 {
            let more = (0..<Int.random(in: 0...5000, using: &generator)).map { _ in
                next &+= 1
                return next
            }
            unsafe more.withUnsafeBytes { unsafe queue.append($0) }
            model += more
            let count = Int.random(in: 0...model.count, using: &generator)
            if Bool.random(using: &generator) {
                queue.drop(count)
                model.removeFirst(count)
            } else {
                var room = [UInt8](repeating: 0, count: count)
                let taken = unsafe room.withUnsafeMutableBytes { unsafe queue.take(into: $0) }
                #expect(taken == count)
                #expect(room == Array(model.prefix(count)))
                model.removeFirst(count)
            }
            #expect(queue.count == model.count)
        }
        #expect(Self.text(queue) == model)
    }

    @Test func `releases its memory once it is taken`() {
        var queue = ByteQueue()
        let much = [UInt8](repeating: 7, count: 1 << 20)
        unsafe much.withUnsafeBytes { unsafe queue.append($0) }
        queue.drop(much.count)
        #expect(queue.capacity <= 1 << 17)
    }
}
