extension ServerState {
    /// One open stream. Slots are reused and keep their memory.
    struct Slot {
        /// The largest field list kept; a larger one resets its stream.
        private static let maxFields = 65_536

        var stream: Int32 = 0
        /// The request as received so far; empty after it was handed over.
        var request = HTTP2ServerRequest()
        var fieldBytes = 0
        var hasResponse = false
        /// Bytes of the window that its body has consumed and that were not restored.
        var usedWindow = 0
        var response: [UInt8] = []
        /// Only the first half of the response will be sent.
        var isHalf = false
        /// The request was handed over, completely or up to the body limit.
        var isHandedOver = false
        /// The request has ended.
        var hasEnded = false
        var responseSent = 0

        /// Frees the slot; it keeps its memory for the next request.
        mutating func leave() {
            stream = 0
            request.removeAll()
            fieldBytes = 0
            hasResponse = false
            usedWindow = 0
            response = []
            isHalf = false
            isHandedOver = false
            hasEnded = false
            responseSent = 0
        }

        /// Keeps a field; false when there are too many.
        mutating func take(
            field name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            fieldBytes += name.count + value.count + 32
            guard fieldBytes <= Self.maxFields else { return false }
            unsafe request.fields.append(name, value)
            return true
        }

        /// Keeps a piece of the body; true when that exceeds the limit.
        mutating func take(body: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
            guard !isHandedOver else { return false }
            let room = limit - request.body.count
            let count = min(room, body.count)
            unsafe request.body.append(contentsOf: UnsafeBufferPointer(rebasing: body[..<count]))
            request.bodyWasTooLong = body.count > room
            return request.bodyWasTooLong
        }

        /// Hands over the request, complete or up to the body limit; false when that was already
        /// done.
        mutating func handOver(to requests: inout RequestQueue) -> Bool {
            guard !isHandedOver else { return false }
            isHandedOver = true
            requests.append(&request)
            return true
        }
    }
}
