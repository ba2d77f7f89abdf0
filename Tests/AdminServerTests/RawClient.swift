import Glibc

/// A client that sends exactly the bytes that it is given.
final class RawClient {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Refused(code: errno) }
    }

    /// Connects to a Unix domain socket.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw Refused(code: errno) }
    }

    deinit { _ = close(descriptor) }

    struct Refused: Error { var code: Int32 }

    func send(_ text: String) {
        let bytes = [UInt8](text.utf8)
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Everything received until the server closes the connection, or until a text was received.
    func response(until end: String? = nil) -> String {
        var response: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe recv(descriptor, &part, part.count, 0)
            guard count > 0 else { return String(decoding: response, as: UTF8.self) }
            response += part[..<count]
            let text = String(decoding: response, as: UTF8.self)
            if let end, text.hasSuffix(end) { return text }
        }
    }

    /// One request and its response.
    static func ask(
        _ port: UInt16, _ request: String, host: String = "localhost", fields: [String] = [],
        body: String = ""
    ) throws -> String {
        let client = try RawClient(port: port)
        let lines = ["\(request) HTTP/1.1", "Host: \(host)", "Connection: close"] + fields
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        client.send((lines + length).joined(separator: "\r\n") + "\r\n\r\n" + body)
        return client.response()
    }
}
