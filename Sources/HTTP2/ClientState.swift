internal import CNGHTTP2

/// What a client's callbacks know and change. They reach it through one raw pointer.
@safe
struct ClientState {
    /// One open request. Slots are used again and never shrink.
    struct Slot {
        var tag = 0
        /// 0 when the slot is free.
        var stream: Int32 = 0
        /// Where its first byte stands in everything that the connection ever wrote.
        var firstByte = 0
        var status = 0
        var isAnswered = false
        var uniqueID: [UInt8] = []
        var retryAfter: [UInt8] = []
        var body: [UInt8] = []
    }

    /// The longest body and field of an answer that are kept.
    private static let longestBody = 4096
    private static let longestField = 256

    var events = EventQueue<HTTP2ClientEvent>()
    var farewell = Farewell()
    var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private(set) var openStreams = 0
    /// The peer's limit on open streams; nil before its settings.
    var streamLimit: Int?
    /// The window of a new stream, as the peer has announced it.
    var streamWindow = 0
    /// How many of all bytes ever written were lent to the owner.
    var lentBytes = 0
    /// The body that is being written, and how much of it was.
    var outgoing = unsafe nothing

    /// Takes a free slot.
    mutating func open(tag: Int, firstByte: Int) -> Int {
        openStreams += 1
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].tag = tag
        slots[index].firstByte = firstByte
        return index
    }

    /// Frees a slot.
    mutating func release(_ index: Int) {
        slots[index] = Slot()
        freeSlots.append(index)
        openStreams -= 1
    }

    /// Some byte of the request may have left.
    func wasLent(_ index: Int) -> Bool { slots[index].firstByte < lentBytes }

    /// Keeps the fields of an answer that matter.
    mutating func take(
        field name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        of index: Int
    ) {
        if unsafe name.holds(":status") {
            slots[index].status = unsafe value.reduce(0) { $0 &* 10 &+ Int($1 &- 48) }
        } else if unsafe name.holds("apns-unique-id") {
            slots[index].uniqueID = unsafe Array(value.prefix(Self.longestField))
        } else if unsafe name.holds("retry-after") {
            slots[index].retryAfter = unsafe Array(value.prefix(Self.longestField))
        }
    }

    /// Keeps a piece of the body of an answer.
    mutating func take(body: UnsafeBufferPointer<UInt8>, of index: Int) {
        let room = Self.longestBody - slots[index].body.count
        unsafe slots[index].body.append(contentsOf: body.prefix(room))
    }

    /// An answer is complete.
    mutating func answered(_ index: Int) {
        slots[index].isAnswered = true
        let slot = slots[index]
        let response = HTTP2Response(
            status: slot.status, uniqueID: slot.uniqueID, retryAfter: slot.retryAfter,
            body: slot.body)
        events.append(.response(tag: slot.tag, response))
    }

    /// A stream is over, answered or not.
    mutating func closed(_ index: Int, code: UInt32) {
        let slot = slots[index]
        if !slot.isAnswered {
            let isRefused = code == NGHTTP2_REFUSED_STREAM.rawValue && slot.status == 0
            let failure: HTTP2StreamFailure =
                isRefused || !wasLent(index) ? .notProcessed : .reset(code: code)
            events.append(.failed(tag: slot.tag, failure))
        }
        release(index)
    }
}

/// No bytes at all.
var nothing: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

extension UnsafeBufferPointer<UInt8> {
    /// Compares with a name that is known beforehand.
    func holds(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        for index in 0..<count where unsafe self[index] != name.utf8Start[index] { return false }
        return true
    }
}
