/// Requests that have come and are not taken yet, in memory that is used again.
///
/// Requests go in and out by exchange: whoever gives a full one gets an empty one, so that an
/// ordinary push costs no allocation.
struct RequestQueue {
    private var requests: [HTTP2ServerRequest] = []
    /// How many of them hold a request, or did so.
    private var used = 0
    /// How many of those were announced.
    private var announced = 0

    /// Takes over a request, and leaves an empty one.
    mutating func append(_ request: inout HTTP2ServerRequest) {
        if announced == used {
            announced = 0
            used = 0
        }
        if used == requests.count { requests.append(HTTP2ServerRequest()) }
        swap(&requests[used], &request)
        request.removeAll()
        used += 1
    }

    /// The oldest one is the next that can be taken.
    mutating func announce() { announced += 1 }

    /// Gives out the request that was announced last, for another's memory.
    mutating func exchange(_ request: inout HTTP2ServerRequest) {
        guard announced > 0 else { return request.removeAll() }
        swap(&requests[announced - 1], &request)
    }
}
