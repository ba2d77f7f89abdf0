internal import COpenSSL

/// A separate library context for old files: OpenSSL's default ciphers and, where its legacy
/// provider is installed, obsolete ones, which must not be available to TLS.
@safe
struct LegacyLibrary: ~Copyable {
    let pointer: OpaquePointer
    let hasLegacy: Bool
    private let providers: [OpaquePointer]

    init() throws(TLSError) {
        OpenSSLErrors.clear()
        guard let context = unsafe OSSL_LIB_CTX_new() else {
            throw .fromOpenSSL(.library, "no memory for OpenSSL")
        }
        let usual = unsafe OSSL_PROVIDER_load(context, "default")
        let old = unsafe OSSL_PROVIDER_load(context, "legacy")
        OpenSSLErrors.clear()
        unsafe pointer = context
        hasLegacy = unsafe old != nil
        unsafe providers = [usual, old].compactMap { unsafe $0 }
    }

    deinit {
        for unsafe provider in unsafe providers { _ = unsafe OSSL_PROVIDER_unload(provider) }
        unsafe OSSL_LIB_CTX_free(pointer)
    }
}
