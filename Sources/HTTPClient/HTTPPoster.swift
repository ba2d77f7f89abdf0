internal import CCURL

/// What became of a request.
public enum HTTPReply: Equatable, Sendable {
    /// The server responded; `retryAfter` is its `Retry-After`, in seconds.
    case responded(status: Int, retryAfter: Int64?)
    /// No response came; the reason says why.
    case failed(String)
    /// The caller gave up.
    case abandoned
}

/// Sends POST requests to one URL, one at a time, on a connection that stays open: a safe wrapper
/// of libcurl. It belongs to one thread, which it blocks.
@safe public struct HTTPPoster: ~Copyable {
    private let transfer: HTTPTransfer

    private static let timeout = 10_000

    /// Creates a client without connecting; nil when the system lacks memory for it.
    public init?(url: String, contentType: String, agent: String) {
        // Without the second line, libcurl asks before it sends a larger body.
        let headers = ["Content-Type: \(contentType)", "Expect:"]
        guard let transfer = HTTPTransfer(headers: headers) else { return nil }
        _ = unsafe curl_prepare_post(
            transfer.easy, url, agent, transfer.headers, HTTPTransfer.connectTimeout, Self.timeout)
        self.transfer = transfer
    }

    /// Sends a body and waits for the response, as long as `mayContinue` is true.
    public mutating func post(_ body: [UInt8], while mayContinue: () -> Bool) -> HTTPReply {
        unsafe body.withUnsafeBytes { bytes in
            unsafe curl_set_body(transfer.easy, bytes.baseAddress, bytes.count)
            defer { unsafe curl_set_body(transfer.easy, nil, 0) }
            return perform(while: mayContinue)
        }
    }

    private func perform(while mayContinue: () -> Bool) -> HTTPReply {
        let code: CURLcode
        switch transfer.perform(while: mayContinue) {
        case .finished(let result): code = result
        case .failed(let reason): return .failed(reason)
        case .abandoned: return .abandoned
        }
        guard code == CURLE_OK else {
            return .failed(unsafe String(cString: curl_easy_strerror(code)))
        }
        let wait = unsafe Int64(curl_retry_after(transfer.easy))
        return .responded(
            status: unsafe Int(curl_status(transfer.easy)), retryAfter: wait > 0 ? wait : nil)
    }
}
