internal import CMicroHTTPD

/// The underlying HTTP library.
public enum AdminServerLibrary {
    /// The version of libmicrohttpd that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: MHD_get_version()) }
}
