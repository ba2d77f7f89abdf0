internal import CMicroHTTPD

/// The library beneath this module.
public enum AdminServerLibrary {
    /// The version of libmicrohttpd that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: MHD_get_version()) }
}
