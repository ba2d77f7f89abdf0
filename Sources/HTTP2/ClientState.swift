internal import CNGHTTP2

/// The state of a client's callbacks, which reach it through one raw pointer.
@safe
struct ClientState {
    /// One open request. Slots are reused and keep their memory.
    struct Slot {
        var tag = 0
        /// 0 when the slot is free.
        var stream: Int32 = 0
        /// The position of its first byte among all bytes ever written on the connection.
        var firstByte = 0
        var status = 0
        var hasResponse = false
        /// The whole response was read without nghttp2, and counts when nghttp2 ends the stream.
        var isSettled = false
        /// The peer has reset the stream.
        var wasReset = false
        /// The part of the body that waits for the stream's window.
        var rest: [UInt8] = []
        /// How much of the rest has been written since.
        var restWritten = 0
        var identifier: UInt128?
        var uniqueID: [UInt8] = []
        var retryAfter: [UInt8] = []
        var channelID: [UInt8] = []
        var body: [UInt8] = []
        /// The most bytes kept of the response's body.
        var maxBody = Self.usualBody
        static let usualBody = 4096

        /// Resets the slot; most contain only numbers.
        mutating func clear() {
            guard rest.isEmpty, uniqueID.isEmpty, retryAfter.isEmpty, body.isEmpty,
                channelID.isEmpty, maxBody == Self.usualBody
            else {
                self = Slot()
                return
            }
            (tag, stream, firstByte, status, restWritten) = (0, 0, 0, 0, 0)
            (hasResponse, isSettled, wasReset, identifier) = (false, false, false, nil)
        }

        /// The response contains nothing but an identifier.
        var isPlain: Bool {
            status == 200 && uniqueID.isEmpty && retryAfter.isEmpty && body.isEmpty
                && channelID.isEmpty
        }
    }

    /// The most bytes kept of a response's field.
    private static let maxField = 256

    var events = EventQueue<QueuedClientEvent>()
    var goAway = GoAwayTracker()
    var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private(set) var openStreams = 0
    /// The peer's limit on open streams; nil before its SETTINGS arrive.
    var streamLimit: Int?
    /// The `apns-id` or `apns-request-id` that nghttp2 read last.
    var latestIdentifier: UInt128?
    /// The header table sizes that the peer has allowed since they were last taken.
    private var tableLimits: (least: Int, last: Int)?
    /// How many of all bytes ever written have been passed to the owner.
    var passedBytes = 0
    /// The body being written, and its slot.
    var outgoing = unsafe nothing
    var outgoingSlot = -1
    /// How many bytes of bodies wait for their streams' windows.
    private(set) var waitingBytes = 0

    /// The slot of the last frame's stream: the next frame is often for the same one.
    private var latestSlot = 0

    /// The index of a stream's slot; nil when it no longer has one.
    mutating func slot(of stream: Int32, _ session: OpaquePointer?) -> Int? {
        if latestSlot < slots.count, slots[latestSlot].stream == stream { return latestSlot }
        guard let index = unsafe slotIndex(session, stream) else { return nil }
        latestSlot = index
        return index
    }

    /// The peer allows a header table of this size from now on.
    mutating func allowTable(_ bytes: Int) {
        tableLimits = (min(bytes, tableLimits?.least ?? bytes), bytes)
    }

    /// The smallest and the latest size that the peer has allowed since the last call; nil if
    /// unchanged.
    mutating func takeTableLimits() -> (least: Int, last: Int)? {
        defer { tableLimits = nil }
        return tableLimits
    }

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
        waitingBytes -= waiting(index)
        slots[index].clear()
        freeSlots.append(index)
        openStreams -= 1
    }

    /// How many bytes of a request's body wait for its stream's window.
    func waiting(_ index: Int) -> Int { slots[index].rest.count - slots[index].restWritten }

    /// The whole request may have been sent, or the peer has started to respond: without either,
    /// the peer cannot have processed it, because a request without its end is incomplete.
    func mayBeProcessed(_ index: Int) -> Bool {
        slots[index].firstByte < passedBytes && (waiting(index) == 0 || slots[index].status != 0)
    }

    /// Keeps the part of the body being written that exceeds the stream's window.
    mutating func keepRest(_ index: Int) {
        slots[index].rest = unsafe Array(outgoing)
        waitingBytes += slots[index].rest.count
    }

    /// Writes the next piece of a body; true if it was the last.
    mutating func writeBody(of index: Int, into out: UnsafeMutableRawBufferPointer) -> (Int, Bool) {
        guard index != outgoingSlot else {
            let count = unsafe min(out.count, outgoing.count)
            unsafe out.copyMemory(from: UnsafeRawBufferPointer(rebasing: outgoing[..<count]))
            unsafe outgoing = UnsafeRawBufferPointer(rebasing: outgoing[count...])
            return unsafe (count, outgoing.isEmpty)
        }
        let start = slots[index].restWritten
        let count = min(out.count, waiting(index))
        unsafe slots[index].rest.withUnsafeBytes { rest in
            unsafe out.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest[start..<start + count]))
        }
        slots[index].restWritten += count
        waitingBytes -= count
        return (count, waiting(index) == 0)
    }

    /// Keeps the relevant fields of a response.
    mutating func take(
        field name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        of index: Int
    ) {
        if unsafe name.holds(":status") {
            slots[index].status = unsafe value.reduce(0) { $0 &* 10 &+ Int($1 &- 48) }
        } else if unsafe name.holds("apns-id") {
            unsafe take(identifier: value, of: index)
        } else if unsafe name.holds("apns-unique-id") {
            slots[index].uniqueID = unsafe Array(value.prefix(Self.maxField))
        } else if unsafe name.holds("retry-after") {
            slots[index].retryAfter = unsafe Array(value.prefix(Self.maxField))
        } else if unsafe name.holds("apns-request-id") {
            guard slots[index].identifier == nil else { return }
            unsafe take(identifier: value, of: index)
        } else if unsafe name.holds("apns-channel-id") {
            // Apple sets no limit on its length, and half of it would be another channel's.
            slots[index].channelID = unsafe Array(value.prefix(HeaderFieldCheck.maxLength))
        }
    }

    private mutating func take(identifier value: UnsafeBufferPointer<UInt8>, of index: Int) {
        latestIdentifier = unsafe UUIDText.number(value)
        slots[index].identifier = latestIdentifier
    }

    /// Keeps a piece of a response body.
    mutating func take(body: UnsafeBufferPointer<UInt8>, of index: Int) {
        let room = slots[index].maxBody - slots[index].body.count
        unsafe slots[index].body.append(contentsOf: body.prefix(room))
    }

    /// The request was written completely, and nothing of its response has been read.
    func awaitsResponse(_ index: Int) -> Bool {
        slots[index].status == 0 && !slots[index].hasResponse && waiting(index) == 0
    }

    /// Takes a 200 with nothing but an identifier; it counts when nghttp2 ends the stream.
    mutating func settle(_ index: Int, _ identifier: UInt128) {
        slots[index].status = 200
        slots[index].identifier = identifier
        slots[index].isSettled = true
    }

    /// A response is complete.
    mutating func responded(_ index: Int) {
        slots[index].hasResponse = true
        guard !slots[index].isPlain else {
            return events.append(
                .accepted(tag: slots[index].tag, identifier: slots[index].identifier))
        }
        let slot = slots[index]
        let response = HTTP2Response(
            status: slot.status, identifier: slot.identifier, uniqueID: slot.uniqueID,
            retryAfter: slot.retryAfter, channelID: slot.channelID, body: slot.body)
        events.append(.other(.response(tag: slot.tag, response)))
    }

    /// A stream has closed, with or without a response.
    mutating func closed(_ index: Int, code: UInt32) {
        if slots[index].isSettled {
            responded(index)
        } else if !slots[index].hasResponse {
            let failure = failure(slots[index], index, code)
            events.append(.other(.failed(tag: slots[index].tag, failure)))
        }
        release(index)
    }

    /// What a stream that closed without a response means for its request.
    private func failure(_ slot: Slot, _ index: Int, _ code: UInt32) -> HTTP2StreamFailure {
        guard mayBeProcessed(index) else { return .notProcessed }
        guard slot.status == 0 else { return .reset(code: code) }
        switch code {
        case NGHTTP2_REFUSED_STREAM.rawValue: return .notProcessed
        case NGHTTP2_PROTOCOL_ERROR.rawValue where slot.wasReset,
            NGHTTP2_HTTP_1_1_REQUIRED.rawValue where slot.wasReset:
            return .unacceptable(code: code)
        default: return .reset(code: code)
        }
    }
}

/// An empty buffer.
var nothing: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

extension UnsafeBufferPointer<UInt8> {
    /// Compares with a constant name.
    func holds(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        for index in 0..<count where unsafe self[index] != name.utf8Start[index] { return false }
        return true
    }
}
