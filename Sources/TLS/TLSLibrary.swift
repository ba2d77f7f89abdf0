internal import COpenSSL

/// The underlying TLS library.
public enum TLSLibrary {
    /// The version of OpenSSL that is loaded, as it reports it.
    public static var version: String {
        unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
    }
}
