import Foundation
import Testing

/// A local TCP port that this process has; it accepts connections if it `listens`, else it refuses
/// them.
final class PortInUse {
    let number: UInt16
    private let descriptor: Int32

    init(listens: Bool = true) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = descriptor
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(found, $0, size) == 0 && getsockname(found, $0, &size) == 0
            }
        }
        try #require(isBound && (!listens || listen(found, 16) == 0))
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
