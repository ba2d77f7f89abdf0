internal import CNGHTTP2

/// What a server's callbacks know and change. They reach it through one raw pointer.
struct ServerState {
    /// One open stream. Slots are used again and never shrink.
    struct Slot {
        var stream: Int32 = 0
        var fields: [(name: [UInt8], value: [UInt8])] = []
        var fieldBytes = 0
        var body: [UInt8] = []
        var bodyWasTooLong = false
        var representations = HeaderRepresentations()
        var isAnswered = false
        /// Bytes of window that its body has used and that were not given back.
        var usedWindow = 0
        var response: [UInt8] = []
        /// Only the first half of the answer is sent, ever.
        var isHalf = false
        /// The request was handed over, whole or as far as anybody cares.
        var isHandedOver = false
        /// The request has come to its end.
        var hasEnded = false
        var responseSent = 0
    }

    /// The longest list of fields that is kept; a longer one resets its stream.
    private static let longestFields = 65_536

    let bodyLimit: Int
    /// Bodies use up the window, and nothing is given back by itself.
    var withholdsWindow: Bool
    var events = EventQueue<HTTP2ServerEvent>()
    var farewell = Farewell()
    var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var cache = FieldCache()
    var observer = HeaderBlockObserver()
    /// The stream whose fields are coming in, and its slot.
    private(set) var receiving: (stream: Int32, index: Int) = (0, 0)
    private(set) var openStreams = 0
    /// PING and SETTINGS frames that asked for an acknowledgement.
    var acknowledged = 0
    /// Bytes of the connection's window that bodies have used and that were not given back.
    var usedWindow = 0

    init(settings: HTTP2ServerSettings) {
        bodyLimit = settings.bodyLimit
        withholdsWindow = !settings.restoresWindow
    }

    /// A stream begins.
    mutating func open(stream: Int32) -> Int {
        openStreams += 1
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].stream = stream
        receiving = (stream, index)
        slots[index].fields.reserveCapacity(12)
        return index
    }

    /// A stream is over.
    mutating func closed(_ index: Int) {
        if receiving.index == index { receiving = (0, 0) }
        slots[index] = Slot()
        freeSlots.append(index)
        openStreams -= 1
    }

    /// Keeps a field; false when there are too many.
    mutating func take(
        field name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        of index: Int
    ) -> Bool {
        slots[index].fieldBytes += name.count + value.count + 32
        guard slots[index].fieldBytes <= Self.longestFields else { return false }
        slots[index].fields.append(unsafe cache.field(name, value))
        return true
    }

    /// A block of fields is complete: that of a request in a slot, or trailers.
    mutating func blockEnded(stream: Int32, _ index: Int?) {
        let representations = observer.take(stream: stream)
        if let index { slots[index].representations = representations }
    }

    /// Keeps a piece of a body, as far as the limit goes.
    mutating func take(body: UnsafeBufferPointer<UInt8>, of index: Int) {
        let size = body.count
        if withholdsWindow {
            usedWindow += size
            slots[index].usedWindow += size
        }
        guard !slots[index].isHandedOver else { return }
        let room = bodyLimit - slots[index].body.count
        unsafe slots[index].body.append(contentsOf: body.prefix(room))
        guard size > room else { return }
        // Nobody waits for the end of what is too long already.
        slots[index].bodyWasTooLong = true
        finished(index)
    }

    /// A request is complete, or its body is longer than anybody wants to know.
    mutating func finished(_ index: Int) {
        guard !slots[index].isHandedOver else { return }
        slots[index].isHandedOver = true
        var request = HTTP2ServerRequest(
            fields: [], bodyWasTooLong: slots[index].bodyWasTooLong)
        if slots[index].representations.fieldCount == slots[index].fields.count {
            request.representations = slots[index].representations
        }
        swap(&request.fields, &slots[index].fields)
        swap(&request.body, &slots[index].body)
        events.append(.request(stream: slots[index].stream, request))
    }

    /// Copies the next piece of an answer's body; says whether it was the last, or waits for ever.
    mutating func readResponse(
        of index: Int, into out: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isLast: Bool, isHeldBack: Bool) {
        let sent = slots[index].responseSent
        let isHalf = slots[index].isHalf
        let end = isHalf ? slots[index].response.count / 2 : slots[index].response.count
        if isHalf, sent == end { return (0, false, true) }
        let count = min(out.count, end - sent)
        for place in 0..<count { unsafe out[place] = slots[index].response[sent + place] }
        slots[index].responseSent = sent + count
        return (count, !isHalf && sent + count == end, false)
    }
}
