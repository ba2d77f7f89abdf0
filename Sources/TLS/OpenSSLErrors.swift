internal import COpenSSL

/// OpenSSL's queue of errors, which belongs to the thread.
enum OpenSSLErrors {
    /// Forgets what earlier calls left behind; to be called before each call that may fail.
    static func clear() { ERR_clear_error() }

    /// The code of the newest error, 0 when there is none.
    static var lastCode: UInt { ERR_peek_last_error() }

    /// The reason within a code, as the `SSL_R_…` constants have it.
    static func reason(of code: UInt) -> Int32 { ERR_GET_REASON(code) }

    /// Takes all errors out of the queue, as one text.
    static func takeText() -> String {
        var texts: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            let text = text(of: code)
            if texts.last != text { texts.append(text) }
        }
        return texts.joined(separator: "; ")
    }

    private static func text(of code: UInt) -> String {
        if let reason = unsafe ERR_reason_error_string(code) {
            return unsafe String(cString: reason)
        }
        // The system's own errors have no reason, but are the end of the long form.
        var buffer = [CChar](repeating: 0, count: 256)
        unsafe ERR_error_string_n(code, &buffer, buffer.count)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: ":")
        return words.last.map { String($0) } ?? "error \(code)"
    }
}

extension TLSError {
    /// Adds what OpenSSL's queue says.
    static func fromOpenSSL(_ code: Code, _ detail: String) -> TLSError {
        TLSError(code, detail, cause: OpenSSLErrors.takeText())
    }
}
