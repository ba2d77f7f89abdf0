internal import HTTP2
internal import JSON

/// The latest requests as plain bytes, one after another, so that recording one costs a copy.
///
/// It has two halves: when the newer one is full, everything in the older one is discarded, and
/// they swap. A request is identified by its position, counted from the first byte ever.
final class RequestJournal {
    /// The position of a request.
    typealias Position = Int

    /// The approximate size of a half in bytes.
    private let halfSize: Int
    private var newer = ByteBuffer()
    private var older = ByteBuffer()
    /// The position of the first byte of each half.
    private var newerStart = 0
    private var olderStart = 0
    /// The number of requests in the newer half.
    private var newerCount = 0
    /// Later results of recorded pushes, by their numbers.
    private var states: [Int: DevicePush.State] = [:]

    /// The approximate overhead of a request in bytes.
    private static let overhead = 1024

    init(limit: Int) { halfSize = limit / 2 }

    /// Everything before this position was discarded.
    var start: Position { olderStart }

    /// Records a request; for a push to a device also its result, and the position of the device's
    /// previous push.
    func append(
        _ request: JudgedRequest, state: DevicePush.State? = nil, previous: Position? = nil
    ) -> Position {
        let size = newer.count + newerCount * Self.overhead + request.body.count + Self.overhead
        if newerCount > 0, size > halfSize { turn() }
        // All at once: memory that has not been written costs nothing.
        if newerCount == 0 { newer.reserve(halfSize) }
        let position = newerStart + newer.count
        newerCount += 1
        newer.append(word: UInt64(bitPattern: Int64(previous ?? -1)))
        newer.append(word: UInt64(bitPattern: Int64(request.number)))
        newer.append(state: state)
        newer.append(request)
        return position
    }

    /// Swaps the halves, and clears the newer one.
    private func turn() {
        let end = newerStart + newer.count
        swap(&newer, &older)
        newer.removeAll()
        olderStart = newerStart
        newerStart = end
        newerCount = 0
        guard !states.isEmpty else { return }
        let oldest = Int(truncatingIfNeeded: older.word(at: 8))
        states = states.filter { $0.key >= oldest }
    }

    /// The request at a position; nil when it was discarded.
    func request(at position: Position) -> JudgedRequest? {
        guard position >= olderStart else { return nil }
        var reader = JournalReader(
            position >= newerStart ? position - newerStart : position - olderStart)
        return position >= newerStart ? reader.request(in: newer) : reader.request(in: older)
    }

    /// The push at a position, and the position of the device's previous push; nil when discarded.
    func push(at position: Position) -> (push: DevicePush, previous: Position)? {
        guard let request = request(at: position), let written = state(at: position) else {
            return nil
        }
        let state = states[request.number] ?? written
        return (DevicePush(request: request, state: state), previous(at: position))
    }

    /// Changes the result of a device's push, starting at its latest one at `position`; false
    /// when it is not among the latest `limit`.
    func settle(
        _ number: Int, from position: Position, limit: Int, as state: DevicePush.State
    ) -> Bool {
        var position = position
        for _ in 0..<limit {
            guard position >= olderStart else { return false }
            if word(1, at: position) == UInt64(bitPattern: Int64(number)) {
                states[number] = state
                return true
            }
            position = previous(at: position)
        }
        return false
    }

    private func previous(at position: Position) -> Position {
        Int(truncatingIfNeeded: word(0, at: position))
    }

    private func state(at position: Position) -> DevicePush.State? {
        DevicePush.State(kind: word(2, at: position), time: word(3, at: position))
    }

    private func word(_ index: Int, at position: Position) -> UInt64 {
        position >= newerStart
            ? newer.word(at: position - newerStart + index * 8)
            : older.word(at: position - olderStart + index * 8)
    }
}

extension DevicePush.State {
    /// Decodes the words written by ``JSON/ByteBuffer``; nil for requests that are not device
    /// pushes.
    fileprivate init?(kind: UInt64, time: UInt64) {
        switch kind {
        case 1: self = .delivered(at: Int64(bitPattern: time))
        case 2: self = .stored
        case 3: self = .replaced
        case 4: self = .expired
        case 5: self = .notStored
        default: return nil
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func append(state: DevicePush.State?) {
        var time: Int64 = 0
        switch state {
        case nil: append(word: 0)
        case .delivered(let at):
            append(word: 1)
            time = at
        case .stored: append(word: 2)
        case .replaced: append(word: 3)
        case .expired: append(word: 4)
        case .notStored: append(word: 5)
        }
        append(word: UInt64(bitPattern: time))
    }
}
