import EventLoop
import HTTP2
import TLS
import Testing

/// A server scripted by the test: TLS and HTTP/2 as byte machines, and responses by hand.
final class Peer {
    struct Request {
        var stream: Int32
        var fields: [String: String]
        var body: [UInt8]
    }

    private var tls: TLSSession
    private var http: HTTP2Server
    private var output: [UInt8] = []
    /// Every request that came, in order.
    private(set) var requests: [Request] = []
    private(set) var resets: [Int32] = []
    private var ended: Set<Int> = []
    /// The apns-id of every request that got a response.
    private(set) var responded: Set<String> = []
    /// The most requests that waited at the same time.
    private(set) var maxOpen = 0
    private(set) var heardGoAway = false
    private(set) var heardCloseNotify = false
    var clientHasEnded = false
    var clientHasClosed = false
    /// Why the client's bytes could not be read.
    private(set) var complaint: String?
    /// Sends nothing over HTTP/2: no SETTINGS, no response.
    var isSilent = false
    /// Sends nothing at all, not even in TLS.
    var isDead = false
    /// Changes the bytes of HTTP/2 before TLS encrypts them.
    var mutatePlaintext: (([UInt8]) -> [UInt8])?
    /// Changes the bytes before they leave.
    var mutate: (([UInt8]) -> [UInt8])?
    /// Set to break the connection.
    var cut: KernelError?
    var hasEnded = false
    /// What an HTTP proxy in front of the server responds to the first request, in pieces; nil
    /// without a proxy.
    var proxyResponse: [[UInt8]]?
    /// What the proxy has received.
    private(set) var heardByProxy: [UInt8] = []
    private var proxyPieces: [[UInt8]] = []
    private var isTunnelOpen = false
    /// The subject of the client's certificate.
    var clientCertificate: CertificateDescription? { tls.peerCertificate }

    init(_ context: TLSContext, _ settings: HTTP2ServerSettings) throws {
        tls = try TLSSession(server: context)
        http = HTTP2Server(settings: settings)
    }

    func receive(_ bytes: [UInt8]) {
        guard cut == nil, !isDead else { return }
        if let proxyResponse, !isTunnelOpen {
            heardByProxy += bytes
            if heardByProxy.suffix(4) == [13, 10, 13, 10] { respondAsProxy(proxyResponse) }
            return
        }
        do {
            try tls.receive(unsafe bytes.span.bytes)
            var failure: (any Error)?
            let isOpen = try tls.read { plaintext in
                do { try http.receive(plaintext) } catch { failure = error }
            }
            if !isOpen { heardCloseNotify = true }
            if let failure { throw failure }
        } catch {
            complaint = "\(error)"
            hasEnded = true
        }
        while let event = http.nextEvent() {
            switch event {
            case .request(let stream):
                var request = HTTP2ServerRequest()
                http.take(&request)
                take(request, stream)
            case .reset(let stream, _):
                resets.append(stream)
                if let index = requests.lastIndex(where: { $0.stream == stream }) {
                    ended.insert(index)
                }
            case .goAway: heardGoAway = true
            }
        }
    }

    /// Sends bytes as the proxy; a first piece with the status 200 opens the tunnel.
    func respondAsProxy(_ pieces: [[UInt8]]) {
        proxyPieces += pieces
        isTunnelOpen = String(decoding: pieces.joined(), as: UTF8.self).hasPrefix("HTTP/1.1 200")
    }

    private func take(_ request: HTTP2ServerRequest, _ stream: Int32) {
        var fields: [String: String] = [:]
        for field in request.fields {
            fields[String(decoding: field.name, as: UTF8.self)] =
                String(decoding: field.value, as: UTF8.self)
        }
        requests.append(Request(stream: stream, fields: fields, body: request.body))
        maxOpen = max(maxOpen, openRequests.count)
    }

    /// What the client gets next.
    func takeOutput() -> [UInt8] {
        guard cut == nil, !isDead else { return [] }
        if !proxyPieces.isEmpty { return proxyPieces.removeFirst() }
        if tls.isEstablished, !isSilent, http.wantsToSend {
            try? http.send { bytes in
                guard let mutatePlaintext else {
                    try? tls.write(bytes)
                    return
                }
                let changed = mutatePlaintext(unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) })
                try? tls.write(unsafe changed.span.bytes)
            }
        }
        while tls.hasOutput {
            tls.withOutput { bytes in
                output += unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
                return bytes.byteCount
            }
        }
        defer { output = [] }
        return mutate.map { output.isEmpty ? output : $0(output) } ?? output
    }

    /// Responds to the request with this number, counted from 0; with its apns-id, or another one,
    /// or none if that is empty, and with more fields.
    func respond(
        _ index: Int, status: Int = 200, body: String = "", retryAfter: String? = nil,
        id other: String? = nil, more: [(String, [UInt8])] = []
    ) {
        guard requests.indices.contains(index) else {
            Issue.record("the server has no request \(index)")
            return
        }
        ended.insert(index)
        let id = requests[index].fields["apns-id"] ?? ""
        let shown = other ?? id
        var fields = shown.isEmpty ? [] : [("apns-id", [UInt8](shown.utf8))]
        if let retryAfter { fields.append(("retry-after", [UInt8](retryAfter.utf8))) }
        fields += more
        do {
            try http.respond(
                stream: requests[index].stream, status: status, fields: fields,
                body: [UInt8](body.utf8))
            responded.insert(id)
        } catch {}
    }

    /// The numbers of the requests that wait for a response.
    var openRequests: [Int] { requests.indices.filter { !ended.contains($0) } }

    /// Returns what waits for a response.
    func respondToAll(status: Int = 200, body: String = "", atMost limit: Int = .max) {
        for index in openRequests.prefix(limit) { respond(index, status: status, body: body) }
    }

    /// Sends GOAWAY after some of the open requests.
    func goAwayAfterSome(_ random: inout Randomness) {
        let open = openRequests
        goAway(afterRequest: open.isEmpty ? nil : open[random.below(open.count)])
    }

    func reset(_ index: Int, code: UInt32) {
        ended.insert(index)
        http.reset(stream: requests[index].stream, code: code)
    }

    func goAway(afterRequest index: Int?, code: UInt32 = 0, debug: String = "") {
        // A correct server does not process requests that its GOAWAY excludes.
        ended.formUnion(requests.indices.filter { $0 > index ?? -1 })
        http.goAway(
            lastStream: index.map { requests[$0].stream } ?? 0, code: code,
            debug: [UInt8](debug.utf8))
    }

    /// The first of two GOAWAYs: requests until the second one are still processed.
    func announceGoAway() { http.goAway(lastStream: Int32.max) }
    func changeStreamWindow(_ bytes: Int) { http.changeStreamWindow(bytes) }
    func changeStreamLimit(_ limit: Int) { http.changeStreamLimit(limit) }
    func restoreWindow() { http.restoreWindow() }

    /// Closes the connection cleanly.
    func end() {
        tls.close()
        hasEnded = true
    }

    /// Breaks the connection.
    func breakConnection() {
        cut = KernelError(operation: "recv", code: 104, description: "connection reset by peer")
    }
}
