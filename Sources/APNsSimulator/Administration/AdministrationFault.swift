internal import AdminServer
internal import JSON

/// Why a request was not carried out, and what to do.
struct AdministrationFault: Error, Equatable {
    let status: Int
    let message: String
    let remedy: String

    init(_ status: Int, _ message: String, _ remedy: String) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    /// Describes a device's fault.
    init(_ fault: DeviceFault) {
        switch fault {
        case .malformedToken:
            self.init(
                400, "not a device token",
                "write an even number of hexadecimal digits, 64 to 400")
        case .tooMany(let limit):
            self.init(
                409, "already \(limit) devices are offline, unregistered, changed or subscribed",
                "bring some of them back, or clear everything with DELETE /")
        case .unknownChannel:
            self.init(
                409, "unknown broadcast channel",
                "create it with a POST, as with Apple; GET /channels lists all channels")
        case .tooManyChannels(let limit):
            self.init(
                409, "the device is already subscribed to \(limit) channels",
                "send {\"unsubscribe\": \"CHANNEL\"} first")
        case .notShown:
            self.init(
                409, "no such notification on the lock screen",
                "GET /devices/TOKEN lists those that are shown, each with its apns_id")
        case .sameToken:
            self.init(400, "the device already has this token", "name another in 'change_to'")
        case .notRegistered:
            self.init(
                409, "the token no longer belongs to a device",
                "send {\"register\": true} first")
        case .otherNotRegistered:
            self.init(
                409, "the token in 'change_to' no longer belongs to a device", "name another one")
        }
    }

    var response: AdminResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("error", message)
        writer.member("remedy", remedy)
        writer.endObject()
        return .json(writer.bytes + [UInt8(ascii: "\n")], status: status)
    }
}
