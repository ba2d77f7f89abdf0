import Foundation
import Testing

@Suite struct `A process that systemd has started` {
    /// The socket on which systemd receives notices of a service.
    private final class Manager {
        let path: String
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

        init() throws {
            let name = "n\(UInt32.random(in: 0 ... .max))"
            path = FileManager.default.temporaryDirectory.appending(path: name).path
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { location in
                unsafe location.copyBytes(from: path.utf8)
            }
            let isBound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            try #require(isBound)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            _ = unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit,
                socklen_t(MemoryLayout<timeval>.size))
        }

        deinit {
            close(descriptor)
            try? FileManager.default.removeItem(atPath: path)
        }

        /// What the service says up to a word; nil when it says nothing for a minute.
        func listen(until word: String) -> [String]? {
            var received: [String] = []
            while received.last != word {
                var bytes = [UInt8](repeating: 0, count: 100)
                let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0 else { return nil }
                received.append(String(decoding: bytes.prefix(count), as: UTF8.self))
            }
            return received
        }
    }

    @Test func `is ready when one connector runs and another one has failed`() throws {
        let world = try BadInputWorld()
        let peer = try WrongPeer(.refuses)
        try world.writeConnector("  bootstrap", "  bootstrap.servers: 127.0.0.1:\(peer.port)")
        try FileManager.default.moveItem(
            at: world.folder.appending(path: "orders.yaml"),
            to: world.folder.appending(path: "pay.yaml"))
        try world.writeConnector()
        let manager = try Manager()
        let program = try RunningProgram(
            ["run", "orders.yaml", "pay.yaml"], in: world.folder,
            environment: ["NOTIFY_SOCKET": manager.path])
        let before = try #require(manager.listen(until: "READY=1"), "\(program.said)")
        let others = Set(before).subtracting(["READY=1", "WATCHDOG=1"])
        #expect(others.isSubset(of: ["EXTEND_TIMEOUT_USEC=60000000"]), "\(before)")
        #expect(program.listen(until: "connector failed to start"))
        #expect(program.terminate() == 0)
    }
}
