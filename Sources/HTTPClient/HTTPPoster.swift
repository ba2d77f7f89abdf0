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
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?

    /// How often a caller is asked whether it gives up, in milliseconds.
    private static let pollInterval: Int32 = 50
    private static let connectTimeout = 3000
    private static let timeout = 10_000

    /// Creates a client without connecting; nil when the system lacks memory for it.
    public init?(url: String, contentType: String, agent: String) {
        guard HTTPClientLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        guard let easy = unsafe curl_easy_init() else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        unsafe self.multi = unsafe multi
        unsafe self.easy = unsafe easy
        var headers = unsafe curl_slist_append(nil, "Content-Type: \(contentType)")
        // Without this, libcurl asks before it sends a larger body.
        unsafe headers = curl_slist_append(headers, "Expect:")
        unsafe self.headers = unsafe headers
        _ = unsafe curl_prepare_post(
            easy, url, agent, headers, Self.connectTimeout, Self.timeout)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_multi_cleanup(multi)
        unsafe curl_slist_free_all(headers)
    }

    /// Sends a body and waits for the response, as long as `mayContinue` is true.
    public mutating func post(_ body: [UInt8], while mayContinue: () -> Bool) -> HTTPReply {
        unsafe body.withUnsafeBytes { bytes in
            unsafe curl_set_body(easy, bytes.baseAddress, bytes.count)
            defer { unsafe curl_set_body(easy, nil, 0) }
            return perform(while: mayContinue)
        }
    }

    private func perform(while mayContinue: () -> Bool) -> HTTPReply {
        guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return .failed("libcurl is out of memory")
        }
        defer { unsafe curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 1
        while true {
            let code = unsafe curl_multi_perform(multi, &running)
            guard code == CURLM_OK else { return .failed("libcurl failed with \(code.rawValue)") }
            if running == 0 { return result }
            guard mayContinue() else { return .abandoned }
            unsafe curl_multi_poll(multi, nil, 0, Self.pollInterval, nil)
        }
    }

    /// What became of the request that has just finished.
    private var result: HTTPReply {
        var left: Int32 = 0
        let message = unsafe curl_multi_info_read(multi, &left)
        guard let message = unsafe message, unsafe message.pointee.msg == CURLMSG_DONE else {
            return .failed("libcurl reported no result")
        }
        let code = unsafe message.pointee.data.result
        guard code == CURLE_OK else {
            return .failed(unsafe String(cString: curl_easy_strerror(code)))
        }
        let wait = unsafe Int64(curl_retry_after(easy))
        return .responded(
            status: unsafe Int(curl_status(easy)), retryAfter: wait > 0 ? wait : nil)
    }
}
