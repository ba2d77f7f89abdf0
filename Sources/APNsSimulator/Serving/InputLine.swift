internal import Delivery
internal import JSON

/// A client's bytes in transit: delayed, throttled, or held back during silence.
struct InputLine {
    /// The most bytes stored per client; beyond it nothing more is read.
    static let comfortable = 262_144

    private struct Piece {
        var due: Instant
        var bytes: [UInt8]
    }

    private var pieces: [Piece] = []
    private var next = 0
    private var lastDue = Instant.distantPast
    /// The number of bytes in transit.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// When the next bytes arrive.
    var nextDeadline: Instant? { next < pieces.count ? pieces[next].due : nil }

    /// Puts bytes in transit: immediately, after a delay, or at a rate in bytes per second.
    mutating func add(_ span: RawSpan, at now: Instant, delay: Duration, rate: Int?) {
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
            let time = Duration.seconds(end - start) / rate
            lastDue = max(lastDue, now + delay) + time
            pieces.append(Piece(due: lastDue, bytes: Array(bytes[start..<end])))
            start = end
        }
    }

    /// Removes and returns the next bytes that have arrived.
    mutating func takeDue(at now: Instant) -> [UInt8]? {
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
