internal import HTTP2

/// A client and a server that talk in memory, and what each of them received.
final class Link {
    var client: HTTP2Client
    var server: HTTP2Server
    var clientEvents: [HTTP2ClientEvent] = []
    var requests: [(stream: Int32, request: HTTP2ServerRequest)] = []
    var resets: [Int32] = []
    var clientError: HTTP2Error?
    var serverError: HTTP2Error?

    init(_ settings: HTTP2ServerSettings = HTTP2ServerSettings(), firstStream: Int32 = 1) {
        client = HTTP2Client(firstStream: firstStream)
        server = HTTP2Server(settings: settings)
    }

    /// Carries bytes both ways until neither side has any left.
    func talk() {
        while client.wantsToSend || server.wantsToSend {
            deliver(toServer: takeFromClient())
            deliver(toClient: takeFromServer())
        }
    }

    func takeFromClient() -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(HTTP2Error) { try client.send { bytes = copy(of: $0) } } catch {
            clientError = error
        }
        return bytes
    }

    func takeFromServer() -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(HTTP2Error) { try server.send { bytes = copy(of: $0) } } catch {
            serverError = error
        }
        return bytes
    }

    func deliver(toServer bytes: [UInt8]) {
        do throws(HTTP2Error) { try unsafe server.receive(bytes.span.bytes) } catch {
            serverError = error
        }
        while let event = server.nextEvent() {
            switch event {
            case .request(let stream):
                var request = HTTP2ServerRequest()
                server.take(&request)
                requests.append((stream, request))
            case .reset(let stream, _): resets.append(stream)
            case .goAway: break
            }
        }
    }

    func deliver(toClient bytes: [UInt8]) {
        do throws(HTTP2Error) { try unsafe client.receive(bytes.span.bytes) } catch {
            clientError = error
        }
        while let event = client.nextEvent() { clientEvents.append(event) }
    }

    /// Submits a request, and reports what happened at once.
    func submit(_ request: HTTP2Request, tag: Int) throws(HTTP2Error) {
        try client.submit(request, tag: tag)
        while let event = client.nextEvent() { clientEvents.append(event) }
    }

    /// Responds to a stream.
    func respond(_ stream: Int32, _ status: Int = 200, body: String = "") throws(HTTP2Error) {
        let fields = [("apns-id", Array("id".utf8))]
        try server.respond(
            stream: stream, status: status, fields: fields, body: Array(body.utf8))
    }

    /// Returns what the client has received so far, and forgets it.
    func takeEvents() -> [HTTP2ClientEvent] {
        defer { clientEvents = [] }
        return clientEvents
    }

    /// The tags of all requests that the client would lose now.
    func abandon() -> [Int: Bool] {
        var tags: [Int: Bool] = [:]
        client.abandon { tags[$0] = $1 }
        return tags
    }

    func cancel(tag: Int) -> HTTP2StreamFailure? { client.cancel(tag: tag) }
    func canSubmit(_ bytes: Int = 100) -> Bool { client.canSubmit(bodyBytes: bytes) }
    var open: Int { client.openStreams }
    var limit: Int? { client.peerStreamLimit }
    var streamsLeft: Int { client.streamsLeft }
    var queuedFrames: Int { client.queuedFrames }
    var window: Int { client.windowForBodies }
    var acceptsRequests: Bool { client.acceptsRequests }
    var serverOpen: Int { server.openStreams }
}

/// The bytes of a span, as an array.
func copy(of span: RawSpan) -> [UInt8] {
    unsafe span.withUnsafeBytes { unsafe Array($0) }
}

/// A request as the bridge makes it.
func push(_ number: Int = 1, body: Int = 100) -> HTTP2Request {
    var request = HTTP2Request()
    request.path = Array("/3/device/\(String(repeating: "ab", count: 30))\(1000 + number)".utf8)
    request.authority = Array("api.push.apple.com".utf8)
    request.authorization = Array("bearer \(String(repeating: "jwt.", count: 40))".utf8)
    request.identifier = Array("123e4567-e89b-42d3-a456-42661417\(1000 + number)".utf8)
    request.pushType = Array("alert".utf8)
    request.expiration = Array("179999\(1000 + number)".utf8)
    request.priority = Array("10".utf8)
    request.topic = Array("com.example.shop".utf8)
    request.collapseID = Array("order-\(number)".utf8)
    request.body = [UInt8](repeating: UInt8(ascii: "x"), count: body)
    return request
}
