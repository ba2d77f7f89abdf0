internal import Arguments

/// A TCP port number.
struct PortNumber: ExpressibleByArgument {
    let number: UInt16

    init(number: UInt16) { self.number = number }

    init?(argument: String) {
        guard let number = UInt16(argument) else { return nil }
        self.number = number
    }

    var argumentText: String { String(number) }
    static var valueDescription: String { "a port number from 0 to 65535" }
}
