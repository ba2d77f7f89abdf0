internal import HTTP2
internal import TLS

/// The other end of one connection: takes every request at once, as cheaply as it can.
final class BenchmarkPeer {
    private var tls: TLSSession
    private var http2 = HTTP2Server(settings: HTTP2ServerSettings(streamLimit: 1000))
    private var request = HTTP2ServerRequest()
    private var fields: [(String, [UInt8])] = [("apns-id", [])]
    /// What it has to say.
    private(set) var output: [UInt8] = []

    init(_ context: TLSContext) throws(TLSError) {
        tls = try TLSSession(server: context)
        try tls.start()
    }

    /// Reads what has come, and answers it.
    func receive(_ bytes: [UInt8]) throws {
        try tls.receive(unsafe bytes.span.bytes)
        var failure: HTTP2Error?
        _ = try tls.read { plaintext in
            do throws(HTTP2Error) { try http2.receive(plaintext) } catch { failure = error }
        }
        while let event = http2.nextEvent() {
            guard case .request(let stream) = event else { continue }
            http2.take(&request)
            let id = request.fields.first { $0.name.elementsEqual("apns-id".utf8) }
            fields[0].1 = id?.value ?? []
            try http2.respond(stream: stream, status: 200, fields: fields)
        }
        if let failure { throw failure }
        try speak()
    }

    private func speak() throws {
        guard tls.isEstablished else { return collect() }
        var failure: TLSError?
        try http2.send { bytes in
            do throws(TLSError) { try tls.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        collect()
    }

    private func collect() {
        tls.withOutput { bytes in
            unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
            return bytes.byteCount
        }
    }

    /// Hands over what it has to say.
    func takeOutput() -> [UInt8] {
        defer { output.removeAll(keepingCapacity: false) }
        return output
    }
}
