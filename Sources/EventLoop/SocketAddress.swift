/// An IPv4 or IPv6 address with a port.
public struct SocketAddress: Hashable, Sendable {
    /// 4 or 16 bytes, in network order.
    public var address: [UInt8]
    /// The port.
    public var port: UInt16

    /// Creates an address from its bytes.
    public init(address: [UInt8], port: UInt16) {
        precondition(address.count == 4 || address.count == 16, "an address has 4 or 16 bytes")
        self.address = address
        self.port = port
    }

    /// This machine's IPv4 loopback address.
    public static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(address: [127, 0, 0, 1], port: port)
    }
}
