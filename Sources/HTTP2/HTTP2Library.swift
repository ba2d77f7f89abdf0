internal import CNGHTTP2

/// The underlying HTTP/2 library.
public enum HTTP2Library {
    /// The version of nghttp2 that is loaded, as it reports it.
    public static var version: String {
        unsafe String(cString: nghttp2_version(0).pointee.version_str)
    }
}
