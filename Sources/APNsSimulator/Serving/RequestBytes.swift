internal import Encoding

/// What the bytes of a request are compared with, and basic tests on them.
enum RequestBytes {
    static let post = [UInt8]("POST".utf8)
    static let get = [UInt8]("GET".utf8)
    static let delete = [UInt8]("DELETE".utf8)
    static let liveActivity = [UInt8]("liveactivity".utf8)
    static let mdm = [UInt8]("mdm".utf8)
    static let location = [UInt8]("location".utf8)
    static let ten = [UInt8]("10".utf8)
    static let five = [UInt8]("5".utf8)
    static let one = [UInt8]("1".utf8)

    /// `/3/device`, optionally with one more segment, which may be empty.
    static func isDevicePath(_ path: ArraySlice<UInt8>) -> Bool {
        let prefix = PushRequest.devicePath
        guard path.count >= prefix.count else { return path.elementsEqual(prefix.dropLast()) }
        let bytes = path.span
        for index in prefix.indices where bytes[index] != prefix[index] { return false }
        // Without an early exit, the loop compares many characters at once.
        let token = bytes.extracting(prefix.count...)
        var slashes: UInt8 = 0
        for index in token.indices { slashes |= token[index] == UInt8(ascii: "/") ? 1 : 0 }
        return slashes == 0
    }

    /// Letters, digits, hyphens, underscores and dots, at most 255 of them.
    static func isTopic(_ topic: ArraySlice<UInt8>) -> Bool {
        topic.count <= 255
            && topic.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// A decimal number of seconds that fits into 63 bits.
    static func isSeconds(_ text: ArraySlice<UInt8>) -> Bool {
        (1...18).contains(text.count)
            && text.allSatisfy(\.isDigit)
    }

    /// A UUID in its canonical form, upper or lower case.
    ///
    /// `NotificationID` parses any collection, which costs microseconds across modules.
    static func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        let bytes = text.span
        let dash = UInt8(ascii: "-")
        guard bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash else {
            return false
        }
        return Hexadecimal.areDigits(bytes.extracting(0..<8))
            && Hexadecimal.areDigits(bytes.extracting(9..<13))
            && Hexadecimal.areDigits(bytes.extracting(14..<18))
            && Hexadecimal.areDigits(bytes.extracting(19..<23))
            && Hexadecimal.areDigits(bytes.extracting(24..<36))
    }

    /// An even number of hexadecimal digits: 32 bytes or, as Apple reserves the right to, more.
    static func isDeviceToken(_ token: ArraySlice<UInt8>) -> Bool {
        (64...400).contains(token.count) && token.count & 1 == 0
            && Hexadecimal.areDigits(token.span)
    }
}
