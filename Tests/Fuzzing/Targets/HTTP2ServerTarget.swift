internal import HTTP2

/// Bytes as a client's input to an HTTP/2 server, after the preface; every request gets a
/// response.
///
/// The first byte is the size of the pieces in which the rest arrives.
enum HTTP2ServerTarget {
    private static let preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    static func run(_ bytes: [UInt8]) {
        var settings = HTTP2ServerSettings(streamLimit: 3)
        settings.bodyLimit = 5000
        var server = HTTP2Server(settings: settings)
        let size = max(1, Int(bytes.first ?? 0))
        deliver(preface[...], to: &server)
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            deliver(rest.prefix(size), to: &server)
            rest = rest.dropFirst(size)
        }
        server.restoreWindow()
        server.goAway()
        try? server.send { _ in }
    }

    private static func deliver(_ bytes: ArraySlice<UInt8>, to server: inout HTTP2Server) {
        do throws(HTTP2Error) {
            try unsafe server.receive(bytes.span.bytes)
        } catch {
            precondition(!error.detail.isEmpty, "an error that says nothing")
        }
        while let event = server.nextEvent() {
            guard case .request(let stream) = event else { continue }
            var request = HTTP2ServerRequest()
            server.take(&request)
            precondition(request.body.count <= 5000, "too much is kept of a body")
            let isRefused = request.body.isEmpty
            try? server.respond(
                stream: stream, status: isRefused ? 400 : 200,
                body: isRefused ? Array(#"{"reason":"PayloadEmpty"}"#.utf8) : [],
                isHalf: request.body.count == 3)
        }
        precondition(server.openStreams <= 3 + 1, "more streams than were allowed")
        try? server.send { _ in }
    }
}
