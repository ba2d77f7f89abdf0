internal import JSON

extension PayloadTarget {
    /// True where a string is allowed.
    var takesText: Bool {
        switch self {
        case .any, .text, .shown, .textOrNull, .textOrObject: true
        default: isRestricted
        }
    }

    /// What is wrong with a string here.
    func fault(text: [UInt8]) -> MappingFault.Cause? {
        switch self {
        case .any, .text, .shown, .textOrNull, .textOrObject: nil
        case .interruptionLevel: isOne(text, of: Self.levels) ? nil : .unfit(self)
        case .activityEvent: isOne(text, of: Self.events) ? nil : .unfit(self)
        case .channel: FieldCheck.fault(channelID: text) == nil ? nil : .unfit(self)
        case .typeName: text.isEmpty ? .unfit(self) : nil
        default: .unfit(self)
        }
    }

    /// What is wrong with a number here.
    func fault(number token: [UInt8]) -> MappingFault.Cause? {
        switch self {
        case .any, .number, .text, .shown, .textOrNull, .textOrObject: return nil
        case .count: return isWhole(token) && token[0] != UInt8(ascii: "-") ? nil : .unfit(self)
        case .one: return token == [UInt8(ascii: "1")] ? nil : .unfit(self)
        case .flag: return token == Self.zero || token == Self.unit ? nil : .unfit(self)
        case .share:
            let isShare =
                JSONNumber.compare(token, Self.zero) >= 0
                && JSONNumber.compare(token, Self.unit) <= 0
            return isShare ? nil : .unfit(self)
        case .seconds, .moment:
            guard isWhole(token), token[0] != UInt8(ascii: "-") else { return .unfit(self) }
            guard let number = EpochText.wholePart(of: token) else { return .invalid(.timestamp) }
            if self == .moment, WrittenTime(epoch: number) == .never {
                return .invalid(.neverTimestamp)
            }
            return seconds(of: number) == number ? nil : .invalid(.timestamp)
        default: return .unfit(self)
        }
    }

    /// Writes a number as Apple takes it: without a fraction that is zero, and a time in seconds,
    /// in whatever unit it is. False if it stays as it is.
    func respell(_ token: inout [UInt8]) -> Bool {
        switch self {
        case .count, .one, .flag: return WholeNumber.shorten(&token)
        case .seconds, .moment:
            guard let number = EpochText.wholePart(of: token), let seconds = seconds(of: number)
            else { return false }
            let before = token
            token = Array(String(seconds).utf8)
            return token != before
        default: return false
        }
    }

    /// Writes a number of the connector file as Apple takes it. There, a time in another unit than
    /// seconds is a mistake.
    func respell(written token: inout [UInt8]) {
        guard isWhole else { return }
        _ = WholeNumber.shorten(&token)
        guard self == .seconds, let number = EpochText.wholePart(of: token),
            WrittenTime.farthestSecond...WrittenTime.lastSecond ~= number
        else { return }
        token = Array(String(WrittenTime.farthestSecond).utf8)
    }

    /// The seconds to write for a time in any unit; nil for a number that is none here.
    private func seconds(of number: Int64) -> Int64? {
        switch WrittenTime(epoch: number) {
        case .at(0): self == .moment ? nil : 0
        case .at(let time) where self == .moment: time / 1000
        case .at(let time): min(time / 1000, WrittenTime.farthestSecond)
        case .never: self == .moment ? nil : WrittenTime.farthestSecond
        case .tooEarly, .outOfRange, .past, .unset, .unreadable: nil
        }
    }

    private func isWhole(_ token: [UInt8]) -> Bool {
        for byte in token where byte &- UInt8(ascii: "0") >= 10 && byte != UInt8(ascii: "-") {
            return false
        }
        return !token.isEmpty
    }

    private func isOne(_ text: [UInt8], of message: [[UInt8]]) -> Bool {
        for word in message where word == text { return true }
        return false
    }

    private static let levels = ["passive", "active", "time-sensitive", "critical"].map {
        Array($0.utf8)
    }
    private static let events = ["start", "update", "end"].map { Array($0.utf8) }
    private static let zero = Array("0".utf8)
    private static let unit = Array("1".utf8)
}
