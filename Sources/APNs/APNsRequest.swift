public import Delivery
internal import HTTP2

/// A push as sent on the wire, written by the same code that sends it, but without the fields of
/// the connection: host and provider token.
public struct APNsRequest: Equatable, Sendable {
    /// A field of the request.
    public struct Header: Equatable, Sendable {
        /// The name in lower case.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Why a notification cannot be written as a request.
    public struct Failure: Error, Equatable, Sendable {
        /// What is wrong with it, for display.
        public var detail: String
    }

    /// The value of `:method`.
    public var method = ""
    /// The value of `:path`.
    public var path = ""
    /// The headers that are sent, in order.
    public var headers: [Header] = []
    /// The body: JSON, in its final bytes.
    public var payload: [UInt8]

    /// Writes a request exactly as a connection would.
    public init(_ notification: borrowing Notification, id: NotificationID) throws(Failure) {
        var writer = RequestWriter(authority: [])
        writer.write(notification, id: id)
        payload = []
        payload.append(contentsOf: notification.payload)
        do throws(HTTP2Error) {
            for (name, bytes) in try writer.request.writtenFields() {
                let value = String(decoding: bytes, as: UTF8.self)
                switch name {
                case ":method": method = value
                case ":path": path = value
                case ":scheme": continue
                default: headers.append(Header(name: name, value: value))
                }
            }
        } catch {
            throw Failure(detail: error.detail)
        }
    }

    /// The value of a header; nil when it is absent.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
