internal import Encoding

/// An HTTP proxy that connections go through, and how it is asked.
public struct HTTPProxy: Equatable, Sendable {
    /// Its host name or address, without brackets.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// The user that it knows; nil when it asks for none.
    public var user: String?
    /// The user's password: never shown.
    public var password: String

    /// Names a proxy.
    public init(host: String, port: UInt16, user: String? = nil, password: String = "") {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Host and port, as people write them.
    public var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// What `proxy-authorization` says (RFC 7617); nil without a user.
    var authorization: String? {
        guard let user else { return nil }
        let text = Base64.standard.encode([UInt8]("\(user):\(password)".utf8))
        return "Basic " + String(decoding: text, as: UTF8.self)
    }
}

extension HTTPProxy: CustomStringConvertible {
    /// Host and port alone: the password stays unseen also where somebody prints the whole value.
    public var description: String { address }
}

extension HTTPProxy: CustomDebugStringConvertible, CustomReflectable {
    /// The same as the description.
    public var debugDescription: String { address }
    /// Shows nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
