internal import HTTP2

/// Bytes as a server's input to an HTTP/2 client: whatever it is, each request ends once.
///
/// The first byte is the size of the pieces in which the rest arrives.
enum HTTP2ClientTarget {
    /// The empty SETTINGS frame with which every server begins.
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    static func run(_ bytes: [UInt8]) {
        var client = HTTP2Client()
        var judge = Judge()
        let size = max(1, Int(bytes.first ?? 0))
        deliver(settings[...], to: &client, &judge)
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            submit(to: &client, &judge)
            deliver(rest.prefix(size), to: &client, &judge)
            rest = rest.dropFirst(size)
        }
        try? client.send { _ in }
        if judge.count > 2, client.cancel(tag: judge.count - 1) != nil {
            judge.end(judge.count - 1)
        }
        client.abandon { tag, _ in judge.end(tag) }
        precondition(judge.open.isEmpty, "a request has no end")
        precondition(client.openStreams == 0, "a stream is open after the end")
    }

    private static func deliver(
        _ bytes: ArraySlice<UInt8>, to client: inout HTTP2Client, _ judge: inout Judge
    ) {
        do throws(HTTP2Error) {
            try unsafe client.receive(bytes.span.bytes)
        } catch {
            precondition(!error.detail.isEmpty, "an error that says nothing")
        }
        while let event = client.nextEvent() {
            switch event {
            case .response(let tag, let response):
                precondition(response.body.count <= 4096, "too much is kept of an answer")
                judge.end(tag)
            case .failed(let tag, _): judge.end(tag)
            default: break
            }
        }
    }

    private static func submit(to client: inout HTTP2Client, _ judge: inout Judge) {
        var request = HTTP2Request()
        request.path = Array("/3/device/00ff".utf8)
        request.identifier = Array("123e4567-e89b-42d3-a456-426614170000".utf8)
        request.body = [UInt8](repeating: 32, count: judge.count % 3 * 1500)
        guard judge.count < 50, client.canSubmit(bodyBytes: request.body.count) else { return }
        let tag = judge.begin()
        do throws(HTTP2Error) {
            try client.submit(request, tag: tag)
            precondition(client.openStreams <= client.peerStreamLimit ?? 0, "over the limit")
        } catch {
            // It was closed while it was written, or never existed.
            if error.code == .noRoom { preconditionFailure("no room after all") }
            judge.forget(tag)
        }
        if judge.count % 2 == 0 { try? client.send { _ in } }
    }

    private struct Judge {
        private(set) var open: Set<Int> = []
        private(set) var count = 0

        mutating func begin() -> Int {
            open.insert(count)
            count += 1
            return count - 1
        }

        mutating func forget(_ tag: Int) { open.remove(tag) }

        mutating func end(_ tag: Int) {
            precondition(open.remove(tag) != nil, "a request has ended twice")
        }
    }
}
