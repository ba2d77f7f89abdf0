internal import CCURL

/// The underlying HTTP library.
public enum HTTPClientLibrary {
    /// The version of libcurl that is loaded, as it reports it.
    public static var version: String {
        unsafe String(cString: curl_loaded_version())
    }

    /// Initialises the library once for the process.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
