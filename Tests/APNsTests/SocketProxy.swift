import Encoding
import EventLoop
import Testing

@testable import APNs

/// An HTTP proxy over sockets on a thread of its own, which knows CONNECT and one user.
final class SocketProxy: Sendable {
    let port: UInt16
    private let orders = Mailbox<Void>()

    init(user: String, password: String) throws {
        let started = Mailbox<UInt16>()
        let orders = orders
        try LoopThread(name: "proxy") {
            let authorization = String(
                decoding: Base64.standard.encode([UInt8]("\(user):\(password)".utf8)),
                as: UTF8.self)
            do {
                var loop = try Loop(authorization: authorization, orders)
                loop.run(orders, started)
            } catch {
                started.post(0)
            }
        }.detach()
        var kernel = try LinuxKernel(capacity: 2)
        try kernel.watch(started.descriptor, token: 1)
        var found: UInt16?
        while found == nil {
            kernel.wait(until: nil) { _ in }
            started.drain { found = $0 }
        }
        port = try #require(found)
    }

    func stop() { orders.post(()) }

    /// One end of a pair of sockets whose bytes go to the other.
    private struct End {
        let socket: SocketID
        var other: UInt64
        /// Bytes that wait to be sent to this end.
        var waiting: [UInt8] = []
        /// What a client has said before it has another end.
        var request: [UInt8] = []
    }

    private struct Loop: ~Copyable {
        var kernel: LinuxKernel
        var ends: [UInt64: End] = [:]
        var nextToken: UInt64 = 10
        let authorization: String

        init(authorization: String, _ orders: Mailbox<Void>) throws {
            kernel = try Self.kernel(watching: orders)
            self.authorization = authorization
        }

        private static func kernel(watching orders: Mailbox<Void>) throws -> LinuxKernel {
            var kernel = try LinuxKernel(capacity: 16)
            try kernel.watch(orders.descriptor, token: 2)
            return kernel
        }

        mutating func run(_ orders: Mailbox<Void>, _ started: Mailbox<UInt16>) {
            guard let listener = try? kernel.listen(on: .loopback(port: 0), token: 1) else {
                return started.post(0)
            }
            started.post(kernel.localAddress(of: listener)?.port ?? 0)
            var isStopped = false
            while !isStopped {
                var wakeups: [Wakeup] = []
                kernel.wait(until: nil) { wakeups.append($0) }
                for wakeup in wakeups {
                    switch wakeup.token {
                    case 1:
                        while let socket = kernel.accept(from: listener, token: nextToken) {
                            ends[nextToken] = End(socket: socket, other: 0)
                            nextToken += 1
                        }
                    case 2: isStopped = true
                    default: serve(wakeup.token)
                    }
                }
            }
            for end in ends.values { kernel.close(end.socket) }
        }

        private mutating func serve(_ token: UInt64) {
            send(token)
            while let end = ends[token] {
                var bytes: [UInt8] = []
                switch kernel.receive(from: end.socket, { bytes = [UInt8](copying: $0) }) {
                case .bytes:
                    if end.other == 0 {
                        ends[token]?.request += bytes
                        respond(token)
                    } else {
                        ends[end.other]?.waiting += bytes
                        send(end.other)
                    }
                case .wouldBlock: return
                case .ended, .failed: close(token)
                }
            }
        }

        private mutating func respond(_ token: UInt64) {
            guard let request = ends[token]?.request, request.suffix(4) == [13, 10, 13, 10] else {
                return
            }
            let text = String(decoding: request, as: UTF8.self)
            guard text.contains("Proxy-Authorization: Basic \(authorization)\r\n") else {
                return say("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", token)
            }
            let target = text.split(separator: " ").dropFirst().first ?? ""
            guard text.hasPrefix("CONNECT "), target.hasPrefix("localhost:"),
                let port = UInt16(target.dropFirst("localhost:".count)),
                let socket = try? kernel.connect(to: .loopback(port: port), token: nextToken)
            else { return say("HTTP/1.1 502 Bad Gateway\r\n\r\n", token) }
            ends[nextToken] = End(socket: socket, other: token)
            ends[token]?.other = nextToken
            nextToken += 1
            say("HTTP/1.1 200 Connection established\r\n\r\n", token)
        }

        private mutating func say(_ text: String, _ token: UInt64) {
            ends[token]?.waiting += [UInt8](text.utf8)
            send(token)
        }

        private mutating func send(_ token: UInt64) {
            while let end = ends[token], !end.waiting.isEmpty {
                let transfer = end.waiting.withRawSpan { kernel.send($0, to: end.socket) }
                guard case .bytes(let count) = transfer else { return }
                ends[token]?.waiting.removeFirst(count)
            }
        }

        private mutating func close(_ token: UInt64) {
            guard let end = ends.removeValue(forKey: token) else { return }
            kernel.close(end.socket)
            if end.other != 0 { close(end.other) }
        }
    }
}
