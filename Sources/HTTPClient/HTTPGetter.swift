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
    /// Further lines of the header.
    public var headers: [String] = []
    /// Whether requests go through the proxy that the environment names, if it does.
    public var usesProxy = true
    /// How the client names itself.
    public var agent = "apns-bridge"

    /// Creates options without authentication.
    public init() {}
}

/// What became of a request whose response is read.
public enum HTTPResponse: Equatable, Sendable {
    /// The server responded.
    case responded(status: Int, body: [UInt8])
    /// The response has more bytes than allowed; it begins with these, 64 KiB at most.
    case tooLarge(status: Int, beginning: [UInt8])
    /// No response came; the reason says why.
    case failed(String)
    /// The caller gave up.
    case abandoned
}

/// Sends requests and reads the responses, one at a time, on connections that stay open: a safe
/// wrapper of libcurl. It belongs to one thread, which it blocks, and follows no redirects.
@safe public struct HTTPGetter: ~Copyable {
    private let transfer: HTTPTransfer
    private let body: UnsafeMutablePointer<curl_body>

    /// Creates a client without connecting; nil when the system lacks memory for it.
    public init?(_ options: HTTPGetterOptions) {
        var headers = ["Accept: \(options.accept)"]
        if let token = options.token { headers.append("Authorization: Bearer \(token)") }
        headers += options.headers
        guard let transfer = HTTPTransfer(headers: headers) else { return nil }
        unsafe body = .allocate(capacity: 1)
        unsafe body.initialize(to: curl_body())
        unsafe body.pointee.limit = options.maxBytes
        let timeout = Int(options.timeout / .milliseconds(1))
        _ = unsafe curl_prepare_get(
            transfer.easy, options.agent, transfer.headers, body,
            min(HTTPTransfer.connectTimeout, timeout), timeout)
        unsafe curl_authenticate(
            transfer.easy, options.username, options.password, options.caFile,
            options.certificate, options.certificateKey)
        if !options.usesProxy { unsafe curl_use_no_proxy(transfer.easy) }
        self.transfer = transfer
    }

    deinit {
        unsafe free(body.pointee.bytes)
        unsafe body.deallocate()
    }

    /// Requests a URL and waits for the response, as long as `mayContinue` is true.
    public mutating func get(_ url: String, while mayContinue: () -> Bool) -> HTTPResponse {
        _ = unsafe curl_begin_get(transfer.easy, url, body)
        return perform(while: mayContinue)
    }

    /// Sends a form to a URL and waits for the response, as long as `mayContinue` is true.
    public mutating func post(
        _ form: [UInt8], to url: String, while mayContinue: () -> Bool
    ) -> HTTPResponse {
        _ = unsafe curl_begin_get(transfer.easy, url, body)
        return unsafe form.withUnsafeBytes { bytes in
            unsafe curl_begin_post(transfer.easy, bytes.baseAddress, bytes.count)
            defer { unsafe curl_end_post(transfer.easy) }
            return perform(while: mayContinue)
        }
    }

    /// Sends a PUT request without a body to a URL and waits for the response, as long as
    /// `mayContinue` is true.
    public mutating func put(_ url: String, while mayContinue: () -> Bool) -> HTTPResponse {
        _ = unsafe curl_begin_get(transfer.easy, url, body)
        unsafe curl_begin_put(transfer.easy)
        defer { unsafe curl_end_put(transfer.easy) }
        return perform(while: mayContinue)
    }

    private func perform(while mayContinue: () -> Bool) -> HTTPResponse {
        let code: CURLcode
        switch transfer.perform(while: mayContinue) {
        case .finished(let result): code = result
        case .failed(let reason): return .failed(reason)
        case .abandoned: return .abandoned
        }
        let bytes = unsafe UnsafeBufferPointer(
            start: body.pointee.bytes, count: body.pointee.count)
        let status = unsafe Int(curl_status(transfer.easy))
        guard unsafe body.pointee.is_cut == 0 else {
            return .tooLarge(status: status, beginning: unsafe [UInt8](bytes.prefix(64 << 10)))
        }
        guard code == CURLE_OK else {
            return .failed(unsafe String(cString: curl_easy_strerror(code)))
        }
        return .responded(status: status, body: unsafe [UInt8](bytes))
    }
}
