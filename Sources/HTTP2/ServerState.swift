internal import CNGHTTP2

/// What a server's callbacks know and change. They reach it through one raw pointer.
struct ServerState {
    let bodyLimit: Int
    /// Bodies use up the window, and nothing is returned by itself.
    var withholdsWindow: Bool
    var events = EventQueue<HTTP2ServerEvent>()
    var farewell = Farewell()
    var slots: [Slot] = []
    private var freeSlots: [Int] = []
    var requests = RequestQueue()
    var observer = HeaderBlockObserver()
    /// The stream whose fields are coming in, and its slot.
    private(set) var receiving: (stream: Int32, index: Int) = (0, 0)
    private(set) var openStreams = 0
    /// PING and SETTINGS frames that asked for an acknowledgement.
    var acknowledged = 0
    /// Bytes of the connection's window that bodies have used and that were not returned.
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
        return index
    }

    /// A stream is over.
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

    /// A block of fields is complete: that of a request in a slot, or trailers.
    mutating func blockEnded(stream: Int32, _ index: Int?) {
        let representations = observer.take(stream: stream)
        if let index { slots[index].request.representations = representations }
    }

    /// Keeps a piece of a body, as far as the limit goes.
    mutating func take(body: UnsafeBufferPointer<UInt8>, of index: Int) {
        let size = body.count
        if withholdsWindow {
            usedWindow += size
            slots[index].usedWindow += size
        }
        // Nobody waits for the end of what is too long already.
        if unsafe slots[index].take(body: body, limit: bodyLimit) { finished(index) }
    }

    /// A request is complete, or its body is longer than anybody wants to know.
    mutating func finished(_ index: Int) {
        guard slots[index].handOver(to: &requests) else { return }
        events.append(.request(stream: slots[index].stream))
    }

    /// The oldest event; when it announces a request, that is the next to be taken.
    mutating func nextEvent() -> HTTP2ServerEvent? {
        let event = events.take()
        if case .request = event { requests.announce() }
        return event
    }

    /// Copies the next piece of a response's body; says whether it was the last, or waits forever.
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
