internal import Arguments
internal import Mapping

/// A device token on a command line.
struct DeviceTokenWord: ExpressibleByArgument {
    let argumentText: String
    /// Lower-case hexadecimal digits.
    let digits: [UInt8]

    init?(argument: String) {
        guard let digits = DeviceToken.digits(argument) else { return nil }
        argumentText = argument
        self.digits = digits
    }

    static var valueDescription: String {
        "a device token, which has an even number of hexadecimal digits"
    }
}
