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
        var isAnswered = false
        /// Bytes of window that its body has used and that were not given back.
        var usedWindow = 0
        var response: [UInt8] = []
        var responseSent = 0
    }

    /// The longest list of fields that is kept; a longer one resets its stream.
    private static let longestFields = 65_536

    let bodyLimit: Int
    let restoresWindow: Bool
    var events = EventQueue<HTTP2ServerEvent>()
    var farewell = Farewell()
    var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var cache = FieldCache()
    private(set) var openStreams = 0
    /// Bytes of the connection's window that bodies have used and that were not given back.
    var usedWindow = 0

    init(settings: HTTP2ServerSettings) {
        bodyLimit = settings.bodyLimit
        restoresWindow = settings.restoresWindow
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
        slots[index].fields.reserveCapacity(12)
        return index
    }

    /// A stream is over.
    mutating func closed(_ index: Int) {
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

    /// Keeps a piece of a body, as far as the limit goes.
    mutating func take(body: UnsafeBufferPointer<UInt8>, of index: Int) {
        let size = body.count
        if !restoresWindow {
            usedWindow += size
            slots[index].usedWindow += size
        }
        let room = bodyLimit - slots[index].body.count
        if size > room { slots[index].bodyWasTooLong = true }
        unsafe slots[index].body.append(contentsOf: body.prefix(room))
    }

    /// A request is complete.
    mutating func finished(_ index: Int) {
        let slot = slots[index]
        let request = HTTP2ServerRequest(
            fields: slot.fields, body: slot.body, bodyWasTooLong: slot.bodyWasTooLong)
        events.append(.request(stream: slot.stream, request))
        slots[index].fields = []
        slots[index].body = []
    }

    /// Copies the next piece of an answer's body; true when it was the last.
    mutating func readResponse(
        of index: Int, into out: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isLast: Bool) {
        let sent = slots[index].responseSent
        let count = min(out.count, slots[index].response.count - sent)
        for place in 0..<count { unsafe out[place] = slots[index].response[sent + place] }
        slots[index].responseSent = sent + count
        return (count, sent + count == slots[index].response.count)
    }
}
