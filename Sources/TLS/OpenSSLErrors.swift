internal import COpenSSL

/// OpenSSL's error queue, which is specific to the thread.
enum OpenSSLErrors {
    /// Discards the errors of earlier calls; call it before each call that may fail.
    static func clear() { ERR_clear_error() }

    /// The code of the newest error, 0 without one.
    static var lastCode: UInt { ERR_peek_last_error() }

    /// The reason in a code, as in the `SSL_R_…` constants.
    static func reason(of code: UInt) -> Int32 { ERR_GET_REASON(code) }

    /// Removes all errors from the queue and returns them as one string.
    static func takeText() -> String { take().text }

    /// Removes all errors from the queue; returns them as one string, and whether one of them says
    /// that the process lacks memory or descriptors.
    static func take() -> (text: String, lacksResources: Bool) {
        var texts: [String] = []
        var lacksResources = false
        while case let code = ERR_get_error(), code != 0 {
            if apns_error_lacks_resources(code) != 0 { lacksResources = true }
            let text = text(of: code)
            if texts.last != text { texts.append(text) }
        }
        return (texts.joined(separator: "; "), lacksResources)
    }

    private static func text(of code: UInt) -> String {
        if let reason = unsafe ERR_reason_error_string(code) {
            return unsafe String(cString: reason)
        }
        // System errors have no reason string, but their text ends the long form.
        var buffer = [CChar](repeating: 0, count: 256)
        unsafe ERR_error_string_n(code, &buffer, buffer.count)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: ":")
        return words.last.map { String($0) } ?? "error \(code)"
    }
}

extension TLSError {
    /// Adds the content of OpenSSL's error queue; a lack of memory or descriptors explains any
    /// other failure.
    static func fromOpenSSL(
        _ code: Code, _ detail: String, alert: UInt8? = nil
    ) -> TLSError {
        let errors = OpenSSLErrors.take()
        return TLSError(
            errors.lacksResources ? .resources : code, detail, cause: errors.text, alert: alert)
    }
}
