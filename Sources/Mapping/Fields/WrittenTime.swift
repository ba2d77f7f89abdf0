/// A point in time as events and files write it.
///
/// A number counts the seconds, milliseconds, microseconds or nanoseconds since 1970: the unit in
/// which it is a time from 2001 to 2100. What is 2100 to 9999 in one of the first three, or the
/// largest number of 64 bits, stands for *never*. The same goes for dates: one before 2001 is a
/// default value, or a number that was taken for days.
enum WrittenTime: Equatable {
    /// Milliseconds since 1970.
    case at(Int64)
    case never
    /// A number that is in no unit a time from 2001 to 2100; in seconds it would be earlier.
    case tooEarly
    /// A number that is in no unit a time from 2001 to 2100.
    case outOfRange
    /// A date before 2001.
    case past
    /// A negative number, or a date in the year 1: what languages write for no time.
    case unset
    /// No time, and no number.
    case unreadable

    /// The first millisecond of 2001, since 1970.
    static let start: Int64 = 978_307_200_000
    /// The first millisecond of 2100.
    static let end: Int64 = 4_102_444_800_000
    /// The last second of 9999.
    static let lastSecond: Int64 = 253_402_300_799
    /// The first millisecond of the year 2, a day later in any time zone.
    private static let yearTwo: Int64 = -62_103_974_400_000

    /// The last second that a signed number of 32 bits counts, in 2038: Apple stores nothing for
    /// longer than 30 days, and documents no limit.
    static let farthestSecond = Int64(Int32.max)

    init(epoch: Int64) {
        switch epoch {
        case ..<0: self = .unset
        case 0: self = .at(0)
        case 1..<(Self.start / 1000): self = .tooEarly
        case (Self.start / 1000)..<(Self.end / 1000): self = .at(epoch * 1000)
        case Self.start..<Self.end: self = .at(epoch)
        case (Self.start * 1000)..<(Self.end * 1000): self = .at(epoch / 1000)
        case (Self.start * 1_000_000)..<(Self.end * 1_000_000): self = .at(epoch / 1_000_000)
        case (Self.end / 1000)...Self.lastSecond, Self.end...(Self.lastSecond * 1000 + 999),
            (Self.end * 1000)...(Self.lastSecond * 1_000_000 + 999_999), Int64.max:
            self = .never
        default: self = .outOfRange
        }
    }

    /// A date, in milliseconds since 1970.
    init(date: Int64) {
        switch date {
        case ..<Self.yearTwo: self = .unset
        case ..<Self.start: self = .past
        case ..<Self.end: self = .at(date)
        default: self = .never
        }
    }

    /// A timestamp of Kafka, in milliseconds since 1970; nil for one that no clock has written: 0,
    /// or a number of seconds.
    static func timestamp(_ milliseconds: Int64?) -> Int64? {
        milliseconds.flatMap { start..<end ~= $0 ? $0 : nil }
    }
}

extension WrittenTime {
    /// Why it cannot be when a push expires, or when an event happened; nil if it can.
    func fault(isExpiration: Bool) -> MappingFault.Reason? {
        switch self {
        case .at(0) where !isExpiration: .zeroEventTime
        case .never where !isExpiration: .neverEventTime
        case .at, .never: nil
        case .tooEarly: isExpiration ? .earlyExpiration : .earlyEventTime
        case .outOfRange: isExpiration ? .expirationRange : .eventTimeRange
        case .past: isExpiration ? .pastExpiration : .pastEventTime
        case .unset: isExpiration ? .unsetExpiration : .unsetEventTime
        case .unreadable: isExpiration ? .expiration : .eventTime
        }
    }
}
