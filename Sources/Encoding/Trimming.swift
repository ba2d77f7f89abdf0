extension BidirectionalCollection {
    /// The elements between the first and the last that do not satisfy a condition.
    public func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: isTrimmed)
        guard let last = rest.lastIndex(where: { !isTrimmed($0) }) else { return rest.prefix(0) }
        return rest[...last]
    }
}

extension StringProtocol {
    /// The string without leading and trailing white space.
    public var trimmed: String { String(trimming(while: \.isWhitespace)) }
}
