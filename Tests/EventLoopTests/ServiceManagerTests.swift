import EventLoop
import Glibc
import Testing

@Suite struct `A service manager` {
    /// A datagram socket with an abstract address, as systemd has one for a service.
    private final class Listener {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let name = "@apns-bridge-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"

        init() throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
                unsafe path.copyBytes(from: [0] + name.utf8.dropFirst())
            }
            let size = MemoryLayout<sa_family_t>.size + name.utf8.count
            let result = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(size))
                }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        func receive() -> String {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func `is notified that the service is ready`() throws {
        let listener = try Listener()
        let manager = try #require(ServiceManager(["NOTIFY_SOCKET": listener.name]))
        #expect(manager.watchdog == nil)
        #expect(manager.notify(.ready))
        #expect(listener.receive() == "READY=1")
        #expect(manager.notify(.alive))
        #expect(listener.receive() == "WATCHDOG=1")
        #expect(manager.notify(.starting))
        #expect(listener.receive() == "EXTEND_TIMEOUT_USEC=60000000")
    }

    @Test func `says how often it wants to be notified`() {
        let manager = ServiceManager(["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "30000000"])
        #expect(manager?.watchdog == .seconds(30))
        let without = ServiceManager(["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "soon"])
        #expect(without?.watchdog == nil)
    }

    @Test func `that is gone does not fail the service`() {
        let manager = ServiceManager(["NOTIFY_SOCKET": "/nowhere/notify"])
        #expect(manager?.notify(.ready) == false)
        #expect(
            ServiceManager(["NOTIFY_SOCKET": String(repeating: "x", count: 200)])?.notify(.ready)
                == false)
    }

    @Test func `is absent unless the environment names one`() {
        #expect(ServiceManager([:]) == nil)
        #expect(ServiceManager(["NOTIFY_SOCKET": ""]) == nil)
    }
}
