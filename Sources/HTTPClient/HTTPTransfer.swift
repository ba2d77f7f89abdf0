internal import CCURL

/// The handles of a client that sends one request at a time, on a connection that stays open.
@safe struct HTTPTransfer: ~Copyable {
    /// How a request has ended.
    enum Ending {
        /// libcurl has finished it, with this result.
        case finished(CURLcode)
        /// It did not run to its end; the reason says why.
        case failed(String)
        /// The caller gave up.
        case abandoned
    }

    let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    /// The lines of the header.
    let headers: UnsafeMutablePointer<curl_slist>?

    /// How often a caller is asked whether it gives up, in milliseconds.
    private static let pollInterval: Int32 = 50
    static let connectTimeout = 3000

    /// Creates handles without connecting; nil when the system lacks memory for them.
    init?(headers lines: [String]) {
        guard HTTPClientLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        guard let easy = unsafe curl_easy_init() else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        unsafe self.multi = unsafe multi
        unsafe self.easy = unsafe easy
        var headers: UnsafeMutablePointer<curl_slist>?
        for line in lines { unsafe headers = curl_slist_append(headers, line) }
        unsafe self.headers = unsafe headers
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_multi_cleanup(multi)
        unsafe curl_slist_free_all(headers)
    }

    /// Sends the request that was prepared, as long as `mayContinue` is true.
    func perform(while mayContinue: () -> Bool) -> Ending {
        guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return .failed("libcurl is out of memory")
        }
        defer { unsafe curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 1
        while true {
            let code = unsafe curl_multi_perform(multi, &running)
            guard code == CURLM_OK else { return .failed("libcurl failed with \(code.rawValue)") }
            if running == 0 { return ending }
            guard mayContinue() else { return .abandoned }
            unsafe curl_multi_poll(multi, nil, 0, Self.pollInterval, nil)
        }
    }

    private var ending: Ending {
        var left: Int32 = 0
        let message = unsafe curl_multi_info_read(multi, &left)
        guard let message = unsafe message, unsafe message.pointee.msg == CURLMSG_DONE else {
            return .failed("libcurl reported no result")
        }
        return .finished(unsafe message.pointee.data.result)
    }
}

/// The underlying HTTP library.
public enum HTTPClientLibrary {
    /// The version of libcurl that is loaded, as it reports it.
    public static var version: String {
        unsafe String(cString: curl_loaded_version())
    }

    /// Initialises the library once for the process.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
