/// Requests received but not taken yet, in reused memory.
///
/// Requests are exchanged on the way in and out: a full one for an empty one, so that an ordinary
/// push allocates nothing.
struct RequestQueue {
    private var requests: [HTTP2ServerRequest] = []
    /// How many of them contain a request, or did so.
    private var used = 0
    /// How many of those were announced.
    private var announced = 0

    /// Takes a request, and leaves an empty one.
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

    /// Announces the oldest request, which may then be taken.
    mutating func announce() { announced += 1 }

    /// Returns the request announced last, in exchange for `request`'s memory.
    mutating func exchange(_ request: inout HTTP2ServerRequest) {
        guard announced > 0 else { return request.removeAll() }
        swap(&requests[announced - 1], &request)
    }
}
