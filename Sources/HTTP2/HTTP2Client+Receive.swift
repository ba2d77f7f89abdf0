extension HTTP2Client {
    /// Receives bytes from the peer; take the events afterwards, even if it throws.
    ///
    /// If it throws, send once more: the output contains the reason for the peer.
    public mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {
        if let failure = session.failure { throw failure }
        unsafe bytes.withUnsafeBytes { unsafe take($0) }
        if session.output.count < Session.comfortableOutput { serialise() }
        if let failure = session.failure { throw failure }
    }

    /// Hands the bytes to nghttp2, except for plain responses, which are read here.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        var taken = 0
        while findsPlainResponses, let found = unsafe finder.next(bytes, &position) {
            guard var index = slot(awaiting: found) else { continue }
            if taken < found.start {
                unsafe give(bytes[taken..<found.start])
                taken = found.start
                // What came before it may have closed the stream.
                guard let now = slot(awaiting: found) else { continue }
                index = now
            }
            taken = position
            if finder.isCertain(found) {
                // nghttp2 receives a reset of the stream in the peer's name, which ends it as a
                // response does. If it no longer reads from the peer, the response does not count.
                unsafe state.pointee.settle(index, found.response.identifier)
                session.receiveReset(of: found.stream)
            } else {
                unsafe state.pointee.latestIdentifier = nil
                unsafe give(bytes[found.start..<position])
                finder.learn(found, identifier: unsafe state.pointee.latestIdentifier)
            }
        }
        unsafe give(bytes[taken...])
    }

    private mutating func give(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard unsafe !bytes.isEmpty, session.failure == nil else { return }
        unsafe session.receive(UnsafeRawBufferPointer(rebasing: bytes))
    }

    /// The slot of a stream whose request was written completely, and whose response has not begun.
    private mutating func slot(awaiting found: PlainResponseFinder.Found) -> Int? {
        guard found.stream > 0, session.failure == nil,
            let index = unsafe state.pointee.slot(of: found.stream, session.pointer),
            unsafe state.pointee.awaitsResponse(index)
        else { return nil }
        return index
    }
}
