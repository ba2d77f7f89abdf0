internal import JSON

/// A client's bytes in transit: delayed, throttled, or held back during silence.
struct InputLine {
    /// The most bytes stored per client; beyond it nothing more is read.
    static let comfortable = 262_144

    private struct Piece {
        var due: UInt64
        var bytes: [UInt8]
    }

    private var pieces: [Piece] = []
    private var next = 0
    private var lastDue: UInt64 = 0
    /// The number of bytes in transit.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// When the next bytes arrive.
    var nextDeadline: UInt64? { next < pieces.count ? pieces[next].due : nil }

    /// Puts bytes in transit: immediately, after a delay, or at a rate in bytes per second.
    mutating func add(_ span: RawSpan, at now: UInt64, delay: UInt64, rate: Int?) {
        var bytes: [UInt8] = []
        bytes.appendBytes(span)
        count += bytes.count
        guard let rate else {
            lastDue = max(lastDue, now + delay)
            pieces.append(Piece(due: lastDue, bytes: bytes))
            return
        }
        let size = max(1, rate / 10)
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            let time = UInt64(end - start) * 1_000_000_000 / UInt64(rate)
            lastDue = max(lastDue, now + delay) + time
            pieces.append(Piece(due: lastDue, bytes: Array(bytes[start..<end])))
            start = end
        }
    }

    /// Removes and returns the next bytes that have arrived.
    mutating func takeDue(at now: UInt64) -> [UInt8]? {
        guard next < pieces.count, pieces[next].due <= now else { return nil }
        let bytes = pieces[next].bytes
        pieces[next].bytes = []
        count -= bytes.count
        next += 1
        if next == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            next = 0
        }
        return bytes
    }
}
