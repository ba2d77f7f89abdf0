/// Which result records a push still owes.
package struct ResultKinds: OptionSet, Sendable, BitwiseCopyable {
    /// A bit for each kind.
    package let rawValue: UInt8

    /// Reads what ``rawValue`` was.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What was decided about it.
    package static let outcome = ResultKinds(rawValue: 1)
    /// Its device token is no longer valid.
    package static let unregistered = ResultKinds(rawValue: 2)
    /// Its record, which could not be delivered.
    package static let deadLetter = ResultKinds(rawValue: 4)
    /// In place of the others: it is sent again later.
    package static let retry = ResultKinds(rawValue: 8)

    /// One of the kinds that are in the set.
    var first: ResultKinds? {
        if contains(.outcome) { return .outcome }
        if contains(.unregistered) { return .unregistered }
        if contains(.deadLetter) { return .deadLetter }
        return contains(.retry) ? .retry : nil
    }
}
