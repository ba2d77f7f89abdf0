internal import CCURL

/// How requests are sent and authenticated.
public struct HTTPGetterOptions: Sendable {
    /// The name of a user, for basic authentication.
    public var username: String?
    /// The password of that user.
    public var password: String?
    /// A bearer token.
    public var token: String?
    /// The path of a PEM file with the certificate authorities to trust; nil for the system's.
    public var caFile: String?
    /// The path of a client certificate in PEM.
    public var certificate: String?
    /// The path of its private key, if that is in a separate file.
    public var certificateKey: String?
    /// How long a request may take.
    public var timeout = Duration.seconds(10)
    /// The most bytes of a response.
    public var maxBytes = 4 << 20
    /// What the header `Accept` names.
    public var accept = "application/json"
    /// How the client names itself.
    public var agent = "apns-bridge"

    /// Creates options without authentication.
    public init() {}
}

/// What became of a GET request.
public enum HTTPAnswer: Equatable, Sendable {
    /// The server responded.
    case responded(status: Int, body: [UInt8])
    /// The response has more bytes than allowed.
    case tooLarge
    /// No response came; the reason says why.
    case failed(String)
    /// The caller gave up.
    case abandoned
}

/// Sends GET requests, one at a time, on connections that stay open: a safe wrapper of libcurl. It
/// belongs to one thread, which it blocks, and follows no redirects.
@safe public struct HTTPGetter: ~Copyable {
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let body: UnsafeMutablePointer<curl_body>

    /// How often a caller is asked whether it gives up, in milliseconds.
    private static let pollInterval: Int32 = 50
    private static let connectTimeout = 3000

    /// Creates a client without connecting; nil when the system lacks memory for it.
    public init?(_ options: HTTPGetterOptions) {
        guard HTTPClientLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        guard let easy = unsafe curl_easy_init() else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        unsafe self.multi = unsafe multi
        unsafe self.easy = unsafe easy
        unsafe body = .allocate(capacity: 1)
        unsafe body.initialize(to: curl_body())
        unsafe body.pointee.limit = options.maxBytes
        var headers = unsafe curl_slist_append(nil, "Accept: \(options.accept)")
        if let token = options.token {
            unsafe headers = curl_slist_append(headers, "Authorization: Bearer \(token)")
        }
        unsafe self.headers = unsafe headers
        let timeout = Int(options.timeout / .milliseconds(1))
        _ = unsafe curl_prepare_get(
            easy, options.agent, headers, body, min(Self.connectTimeout, timeout), timeout)
        unsafe curl_authenticate(
            easy, options.username, options.password, options.caFile, options.certificate,
            options.certificateKey)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_multi_cleanup(multi)
        unsafe curl_slist_free_all(headers)
        unsafe free(body.pointee.bytes)
        unsafe body.deallocate()
    }

    /// Requests a URL and waits for the response, as long as `mayContinue` is true.
    public mutating func get(_ url: String, while mayContinue: () -> Bool) -> HTTPAnswer {
        _ = unsafe curl_begin_get(easy, url, body)
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
    private var result: HTTPAnswer {
        var left: Int32 = 0
        let message = unsafe curl_multi_info_read(multi, &left)
        guard let message = unsafe message, unsafe message.pointee.msg == CURLMSG_DONE else {
            return .failed("libcurl reported no result")
        }
        let code = unsafe message.pointee.data.result
        guard unsafe body.pointee.is_cut == 0 else { return .tooLarge }
        guard code == CURLE_OK else {
            return .failed(unsafe String(cString: curl_easy_strerror(code)))
        }
        let bytes = unsafe UnsafeBufferPointer(
            start: body.pointee.bytes, count: body.pointee.count)
        return .responded(status: unsafe Int(curl_status(easy)), body: unsafe [UInt8](bytes))
    }
}
