internal import Encoding

/// An HTTP proxy that connections go through.
public struct HTTPProxy: Equatable, Sendable {
    /// Its host name or address, without brackets.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// The user name; nil when it requires none.
    public var user: String?
    /// The user's password: never shown.
    public var password: String

    /// Creates a proxy.
    public init(host: String, port: UInt16, user: String? = nil, password: String = "") {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Host and port in the usual notation.
    public var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The value of `proxy-authorization` (RFC 7617); nil without a user.
    var authorization: String? {
        guard let user else { return nil }
        let text = Base64.standard.encode([UInt8]("\(user):\(password)".utf8))
        return "Basic " + String(decoding: text, as: UTF8.self)
    }
}

extension HTTPProxy: CustomStringConvertible {
    /// Host and port only, so that printing the value never reveals the password.
    public var description: String { address }
}

extension HTTPProxy: CustomDebugStringConvertible, CustomReflectable {
    /// The same as the description.
    public var debugDescription: String { address }
    /// Contains nothing, so that reflection does not reveal the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
