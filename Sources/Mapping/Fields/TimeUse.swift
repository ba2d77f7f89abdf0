/// What a time in an event or a file is for, which decides whether it may stand for no time.
enum TimeUse {
    /// When a push expires.
    case expiration
    /// When an event happened.
    case eventTime
    /// When the content of a Live Activity was current.
    case content
    /// When the content of a Live Activity becomes outdated.
    case staleDate
    /// When an ended Live Activity is removed; 0 is immediately.
    case dismissal
}

extension WrittenTime {
    /// Why it cannot have a use; nil if it can.
    func fault(as use: TimeUse) -> MappingFault.Reason? {
        switch use {
        case .expiration: fault(isExpiration: true)
        case .eventTime: fault(isExpiration: false)
        case .content:
            switch self {
            case .never: .neverTimestamp
            default: fault(as: .staleDate)
            }
        case .staleDate: self == .at(0) ? .activityTime : fault(as: .dismissal)
        case .dismissal:
            switch self {
            case .at, .never: nil
            case .tooEarly, .outOfRange, .past, .unset, .unreadable: .activityTime
            }
        }
    }
}
