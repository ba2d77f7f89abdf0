internal import CNGHTTP2

/// The state of a server's callbacks, which reach it through one raw pointer.
struct ServerState {
    let bodyLimit: Int
    /// Bodies consume the window, and it is not restored automatically.
    var withholdsWindow: Bool
    var events = EventQueue<HTTP2ServerEvent>()
    var goAway = GoAwayTracker()
    var slots: [Slot] = []
    private var freeSlots: [Int] = []
    var requests = RequestQueue()
    /// The stream whose fields are arriving, and its slot.
    private(set) var receiving: (stream: Int32, index: Int) = (0, 0)
    private(set) var openStreams = 0
    /// PING and SETTINGS frames that required an acknowledgement.
    var acknowledged = 0
    /// Bytes of the connection's window that bodies have consumed and that were not restored.
    var usedWindow = 0

    init(settings: HTTP2ServerSettings) {
        bodyLimit = settings.bodyLimit
        withholdsWindow = !settings.restoresWindow
    }

    /// A stream has opened.
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
        return index
    }

    /// A stream has closed.
    mutating func closed(_ index: Int) {
        if receiving.index == index { receiving = (0, 0) }
        slots[index].leave()
        freeSlots.append(index)
        openStreams -= 1
    }

    /// Keeps a field; false when there are too many.
    mutating func take(
        field name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
        of index: Int
    ) -> Bool {
        unsafe slots[index].take(field: name, value)
    }

    /// Keeps a piece of a body, up to the limit.
    mutating func take(body: UnsafeBufferPointer<UInt8>, of index: Int) {
        let size = body.count
        if withholdsWindow {
            usedWindow += size
            slots[index].usedWindow += size
        }
        // A request that is too long already need not be received completely.
        if unsafe slots[index].take(body: body, limit: bodyLimit) { finished(index) }
    }

    /// A request is complete, or its body exceeds the limit.
    mutating func finished(_ index: Int) {
        guard slots[index].handOver(to: &requests) else { return }
        events.append(.request(stream: slots[index].stream))
    }

    /// The oldest event; if it announces a request, that request is the next to be taken.
    mutating func nextEvent() -> HTTP2ServerEvent? {
        let event = events.take()
        if case .request = event { requests.announce() }
        return event
    }

    /// Copies the next piece of a response body; returns whether it was the last, or never ends.
    mutating func readResponse(
        of index: Int, into out: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isLast: Bool, isHeldBack: Bool) {
        let sent = slots[index].responseSent
        let isHalf = slots[index].isHalf
        let end = isHalf ? slots[index].response.count / 2 : slots[index].response.count
        if isHalf, sent == end { return (0, false, true) }
        let count = min(out.count, end - sent)
        for position in 0..<count { unsafe out[position] = slots[index].response[sent + position] }
        slots[index].responseSent = sent + count
        return (count, !isHalf && sent + count == end, false)
    }
}
