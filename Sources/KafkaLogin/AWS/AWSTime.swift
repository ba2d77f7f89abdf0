internal import Encoding

/// Times as AWS writes them: RFC 3339, in UTC.
enum AWSTime {
    /// The milliseconds since 1970 of `2026-01-01T10:00:00Z`; nil for anything else. Fractions of a
    /// second are left out.
    static func milliseconds(of text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, isMarked(bytes) else { return nil }
        let ending = bytes[19...]
        let fraction = ending.dropFirst().prefix(while: \.isDigit)
        let rest = ending.first == UInt8(ascii: ".") ? ending.dropFirst(fraction.count + 1) : ending
        guard rest.elementsEqual("Z".utf8) || rest.elementsEqual("+00:00".utf8) else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            guard bytes[range].allSatisfy(\.isDigit) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let days = Timestamp.days(year: year, month: month, day: day)
        return (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000
    }

    private static func isMarked(_ bytes: [UInt8]) -> Bool {
        let marks = [4: "-", 7: "-", 10: "T", 13: ":", 16: ":"]
        return marks.allSatisfy { bytes[$0.key] == $0.value.utf8.first }
    }
}
