import Testing

@testable import LegacyProviders

@Suite struct `The boundary of TLS records` {
    private static let record: [UInt8] = [23, 3, 3, 0, 4, 1, 2, 3, 4]
    private static let empty: [UInt8] = [23, 3, 3, 0, 0]

    @Test func `is between two records, wherever the bytes are cut`() {
        let stream = Self.record + Self.empty + Self.record
        let ends: Set = [9, 14, 23]
        for size in 1...stream.count {
            var boundary = RecordBoundary()
            for start in stride(from: 0, to: stream.count, by: size) {
                let end = min(start + size, stream.count)
                let hasEnded = unsafe boundary.follow(Array(stream[start..<end]).span.bytes)
                #expect(boundary.isInside == !ends.contains(end))
                #expect(hasEnded == !ends.isDisjoint(with: (start + 1)...end))
            }
        }
    }

    @Test func `is known after a hello in the form of SSL 2`() {
        var boundary = RecordBoundary()
        func follow(_ bytes: [UInt8]) -> [Bool] {
            [unsafe boundary.follow(bytes.span.bytes), boundary.isInside]
        }
        let hello: [UInt8] = [0x80, 3, 1, 3, 3]
        #expect(follow(Array(hello.prefix(4))) == [false, true])
        #expect(follow(Array(hello.suffix(1)) + Self.record) == [true, false])
        #expect(follow(Array(Self.record.prefix(8))) == [false, true])
    }
}
