internal import Encoding

/// Basic tests on bytes, used by the judge's table.
enum Bytes {
    static let post = [UInt8]("POST".utf8)
    static let get = [UInt8]("GET".utf8)
    static let delete = [UInt8]("DELETE".utf8)
    static let liveActivity = [UInt8]("liveactivity".utf8)
    static let mdm = [UInt8]("mdm".utf8)
    static let location = [UInt8]("location".utf8)
    static let mdmTopic = [UInt8]("com.apple.mgmt.".utf8)
    static let ten = [UInt8]("10".utf8)
    static let five = [UInt8]("5".utf8)
    static let one = [UInt8]("1".utf8)

    /// `/3/device`, optionally with one more segment, which may be empty.
    static func isDevicePath(_ path: ArraySlice<UInt8>) -> Bool {
        let prefix = PushRequest.devicePath
        guard path.count >= prefix.count else { return path.elementsEqual(prefix.dropLast()) }
        return path.starts(with: prefix)
            && !path.dropFirst(prefix.count).contains(UInt8(ascii: "/"))
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
            && text.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// A UUID in its canonical form, upper or lower case.
    ///
    /// `NotificationID` parses any collection, which costs microseconds across modules.
    static func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        let start = text.startIndex
        for index in 0..<36 {
            switch index {
            case 8, 13, 18, 23: guard text[start + index] == UInt8(ascii: "-") else { return false }
            default:
                guard Hexadecimal.value(of: text[start + index]) != nil else { return false }
            }
        }
        return true
    }

    /// An even number of hexadecimal digits: 32 bytes or, as Apple reserves the right to, more.
    static func isDeviceToken(_ token: ArraySlice<UInt8>) -> Bool {
        (64...400).contains(token.count) && token.count & 1 == 0
            && Hexadecimal.areDigits(token.span)
    }
}
