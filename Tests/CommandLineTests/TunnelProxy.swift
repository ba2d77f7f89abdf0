import Foundation
import Synchronization
import Testing

/// An HTTP proxy on threads of its own, which opens tunnels to ports of this machine.
final class TunnelProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let requests = Mutex<[String]>([])

    /// The first line of each request.
    var received: [String] { requests.withLock { $0 } }

    init() throws {
        let (listener, port) = try LocalPort.bind()
        (self.listener, self.port) = (listener, port)
        try #require(listen(listener, 16) == 0)
        Thread.detachNewThread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else { break }
                self.open(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Reads a request and connects both sides.
    private func open(_ client: Int32) {
        var request: [UInt8] = []
        while request.suffix(4) != [13, 10, 13, 10], let byte = Self.read(client, atMost: 1) {
            request += byte
        }
        let line = String(decoding: request.prefix { $0 != 13 }, as: UTF8.self)
        requests.withLock { $0.append(line) }
        let target = line.split(separator: " ").dropFirst().first ?? ""
        let port = target.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        guard let server = LocalPort.connect(to: port) else {
            close(client)
            return
        }
        Self.write(client, [UInt8]("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
        Thread.detachNewThread { Self.pump(from: client, to: server) }
        Thread.detachNewThread { Self.pump(from: server, to: client) }
    }

    /// Carries bytes one way until that ends; the sockets stay for the other way.
    private static func pump(from source: Int32, to target: Int32) {
        while let bytes = read(source, atMost: 16_384) { write(target, bytes) }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func read(_ socket: Int32, atMost count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = unsafe recv(socket, &bytes, count, 0)
        return length > 0 ? Array(bytes[..<length]) : nil
    }

    private static func write(_ socket: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}

/// Sockets of the loopback interface.
enum LocalPort {
    /// A socket that is bound to a free port.
    static func bind() throws -> (socket: Int32, port: UInt16) {
        let found = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.bind(found, $0, size) == 0 && getsockname(found, $0, &size) == 0
            }
        }
        try #require(isBound)
        return (found, UInt16(bigEndian: address.sin_port))
    }

    /// A connection to a port; nil if that is refused.
    static func connect(to port: UInt16) -> Int32? {
        let found = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: port)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.connect(found, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return found }
        close(found)
        return nil
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        return address
    }
}
