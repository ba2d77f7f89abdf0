internal import AdminServer
internal import JSON

/// Why something is not done that was asked for, and what to do.
struct AdministrationFault: Error, Equatable {
    let status: Int
    let message: String
    let remedy: String

    init(_ status: Int, _ message: String, _ remedy: String) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    /// Puts a device's fault into words.
    init(_ fault: DeviceFault) {
        switch fault {
        case .malformedToken:
            self.init(
                400, "this is no device token",
                "write an even number of hexadecimal digits, 64 to 400 of them")
        case .tooMany(let limit):
            self.init(
                409, "\(limit) devices are offline, unregistered, changed or subscribed already",
                "let some of them come back, or begin anew with DELETE /")
        case .unknownChannel:
            self.init(
                409, "no app has such a broadcast channel",
                "make it as with Apple; GET /channels lists those that there are")
        case .tooManyChannels(let limit):
            self.init(
                409, "the device has subscribed to \(limit) channels already",
                "send {\"unsubscribe\": \"CHANNEL\"} first")
        case .sameToken:
            self.init(400, "the device has this token already", "name another in 'change_to'")
        case .notRegistered:
            self.init(
                409, "the token leads to no device any more",
                "send {\"register\": true} first")
        case .otherNotRegistered:
            self.init(
                409, "the token in 'change_to' leads to no device any more", "name another one")
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
