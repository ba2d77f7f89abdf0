internal import HTTP2
internal import JSON

/// The latest requests, one behind the other as plain bytes, so that to remember one costs a copy.
///
/// It has two halves: when the newer one is full, everything in the older one is forgotten, and
/// they change places. A request is found by its place, which counts from the first byte ever.
final class RequestJournal {
    /// The place of a request.
    typealias Place = Int

    /// How many bytes a half may hold, about.
    private let halfSize: Int
    private var newer = ByteBuffer()
    private var older = ByteBuffer()
    /// The place of the first byte of each half.
    private var newerStart = 0
    private var olderStart = 0
    /// How many requests there are in the newer half.
    private var newerCount = 0
    /// What has become of pushes since they were written down, by their numbers.
    private var fates: [Int: DevicePush.Fate] = [:]

    /// What a request costs beside its bytes, about.
    private static let overhead = 1024

    init(limit: Int) { halfSize = limit / 2 }

    /// Everything before this place is forgotten.
    var start: Place { olderStart }

    /// Records a request; a push of a device together with what happened to it, and the place of
    /// the device's push before.
    func append(
        _ request: JudgedRequest, fate: DevicePush.Fate? = nil, previous: Place? = nil
    ) -> Place {
        let size = newer.count + newerCount * Self.overhead + request.body.count + Self.overhead
        if newerCount > 0, size > halfSize { turn() }
        // All at once: what nobody has written to yet is no memory.
        if newerCount == 0 { newer.reserve(halfSize) }
        let place = newerStart + newer.count
        newerCount += 1
        newer.append(word: UInt64(bitPattern: Int64(previous ?? -1)))
        newer.append(word: UInt64(bitPattern: Int64(request.number)))
        newer.append(fate: fate)
        newer.append(request)
        return place
    }

    /// The halves change places, and the newer one starts over.
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

    /// The request at a place; nil when it is forgotten.
    func request(at place: Place) -> JudgedRequest? {
        guard place >= olderStart else { return nil }
        var reader = JournalReader(place >= newerStart ? place - newerStart : place - olderStart)
        return place >= newerStart ? reader.request(in: newer) : reader.request(in: older)
    }

    /// The push at a place, and the place of the device's push before; nil when it is forgotten.
    func push(at place: Place) -> (push: DevicePush, previous: Place)? {
        guard let request = request(at: place), let written = fate(at: place) else { return nil }
        let fate = fates[request.number] ?? written
        return (DevicePush(request: request, fate: fate), previous(at: place))
    }

    /// Notes what has become of a push of a device, of which `place` is the latest; false when it
    /// is none of the latest `limit`.
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
    /// Reads what ``JSON/ByteBuffer`` was given; nil for no push of a device.
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
