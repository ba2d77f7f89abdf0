internal import HTTP2
internal import JSON

/// The latest requests as plain bytes, one after another, so that recording one costs a copy.
///
/// It has two halves: when the newer one is full, everything in the older one is discarded, and
/// they swap. A request is identified by its position, counted from the first byte ever.
final class RequestJournal {
    /// The position of a request.
    typealias Place = Int

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
    private var fates: [Int: DevicePush.Fate] = [:]

    /// The approximate overhead of a request in bytes.
    private static let overhead = 1024

    init(limit: Int) { halfSize = limit / 2 }

    /// Everything before this position was discarded.
    var start: Place { olderStart }

    /// Records a request; for a push to a device also its result, and the position of the device's
    /// previous push.
    func append(
        _ request: JudgedRequest, fate: DevicePush.Fate? = nil, previous: Place? = nil
    ) -> Place {
        let size = newer.count + newerCount * Self.overhead + request.body.count + Self.overhead
        if newerCount > 0, size > halfSize { turn() }
        // All at once: memory that has not been written costs nothing.
        if newerCount == 0 { newer.reserve(halfSize) }
        let place = newerStart + newer.count
        newerCount += 1
        newer.append(word: UInt64(bitPattern: Int64(previous ?? -1)))
        newer.append(word: UInt64(bitPattern: Int64(request.number)))
        newer.append(fate: fate)
        newer.append(request)
        return place
    }

    /// Swaps the halves, and clears the newer one.
    private func turn() {
        let end = newerStart + newer.count
        swap(&newer, &older)
        newer.removeAll()
        olderStart = newerStart
        newerStart = end
        newerCount = 0
        guard !fates.isEmpty else { return }
        let oldest = Int(truncatingIfNeeded: older.word(at: 8))
        fates = fates.filter { $0.key >= oldest }
    }

    /// The request at a position; nil when it was discarded.
    func request(at place: Place) -> JudgedRequest? {
        guard place >= olderStart else { return nil }
        var reader = JournalReader(place >= newerStart ? place - newerStart : place - olderStart)
        return place >= newerStart ? reader.request(in: newer) : reader.request(in: older)
    }

    /// The push at a position, and the position of the device's previous push; nil when discarded.
    func push(at place: Place) -> (push: DevicePush, previous: Place)? {
        guard let request = request(at: place), let written = fate(at: place) else { return nil }
        let fate = fates[request.number] ?? written
        return (DevicePush(request: request, fate: fate), previous(at: place))
    }

    /// Changes the result of a device's push, starting at its latest one at `place`; false when it
    /// is not among the latest `limit`.
    func settle(
        _ number: Int, from place: Place, limit: Int, as fate: DevicePush.Fate
    ) -> Bool {
        var place = place
        for _ in 0..<limit {
            guard place >= olderStart else { return false }
            if word(1, at: place) == UInt64(bitPattern: Int64(number)) {
                fates[number] = fate
                return true
            }
            place = previous(at: place)
        }
        return false
    }

    private func previous(at place: Place) -> Place { Int(truncatingIfNeeded: word(0, at: place)) }

    private func fate(at place: Place) -> DevicePush.Fate? {
        DevicePush.Fate(kind: word(2, at: place), time: word(3, at: place))
    }

    private func word(_ index: Int, at place: Place) -> UInt64 {
        place >= newerStart
            ? newer.word(at: place - newerStart + index * 8)
            : older.word(at: place - olderStart + index * 8)
    }
}

extension DevicePush.Fate {
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
    fileprivate mutating func append(fate: DevicePush.Fate?) {
        var time: Int64 = 0
        switch fate {
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
