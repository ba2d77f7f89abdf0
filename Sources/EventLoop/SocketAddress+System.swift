internal import Glibc

extension SocketAddress {
    /// Calls `body` with the address in the form that system calls use.
    @unsafe func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if address.count == 4 {
            var system = sockaddr_in()
            system.sin_family = sa_family_t(AF_INET)
            system.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &system.sin_addr) {
                unsafe $0.copyBytes(from: address)
            }
            return unsafe withAddress(&system, body)
        }
        var system = sockaddr_in6()
        system.sin6_family = sa_family_t(AF_INET6)
        system.sin6_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &system.sin6_addr) { unsafe $0.copyBytes(from: address) }
        return unsafe withAddress(&system, body)
    }

    @unsafe private func withAddress<System, Result>(
        _ system: inout System, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: &system) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<System>.size))
            }
        }
    }

    /// Reads the address that a system call such as `getsockname` returns; nil if it fails.
    init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let address = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system in
                unsafe fill(system, &length) == 0 ? SocketAddress(system) : nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    /// Copies a system address; nil when it is neither IPv4 nor IPv6.
    @unsafe init?(_ system: UnsafePointer<sockaddr>) {
        switch Int32(unsafe system.pointee.sa_family) {
        case AF_INET:
            let address = unsafe UnsafeRawPointer(system).load(as: sockaddr_in.self)
            let bytes = unsafe withUnsafeBytes(of: address.sin_addr) { unsafe [UInt8]($0) }
            self.init(address: bytes, port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = unsafe UnsafeRawPointer(system).load(as: sockaddr_in6.self)
            let bytes = unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe [UInt8]($0) }
            self.init(address: bytes, port: UInt16(bigEndian: address.sin6_port))
        default: return nil
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The address in the usual notation: `127.0.0.1:2197` or `[::1]:2197`.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        unsafe inet_ntop(family, address, &text, socklen_t(text.count))
        let name = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return address.count == 4 ? "\(name):\(port)" : "[\(name)]:\(port)"
    }

    /// Parses an IPv4 or IPv6 address without a port; nil for a name.
    public init?(numeric text: String, port: UInt16) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            if unsafe inet_pton(family, text, &bytes) == 1 {
                self.init(address: bytes, port: port)
                return
            }
        }
        return nil
    }
}
