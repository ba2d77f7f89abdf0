internal import Configuration

/// The kinds of result records that a push owes.
package struct ResultKinds: OptionSet, Sendable, BitwiseCopyable {
    /// One bit per kind.
    package let rawValue: UInt8

    /// Creates a set from its ``rawValue``.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The outcome.
    package static let outcome = ResultKinds(rawValue: 1)
    /// The unregistered record.
    package static let unregistered = ResultKinds(rawValue: 2)
    /// The dead letter.
    package static let deadLetter = ResultKinds(rawValue: 4)
    /// The retry record, instead of all others.
    package static let retry = ResultKinds(rawValue: 8)

    /// One of the kinds in the set.
    var first: ResultKinds? {
        if contains(.outcome) { return .outcome }
        if contains(.unregistered) { return .unregistered }
        if contains(.deadLetter) { return .deadLetter }
        return contains(.retry) ? .retry : nil
    }
}

extension ResultsSettings {
    /// The topic for one kind of result record.
    func topic(of kind: ResultKinds) -> String {
        switch kind {
        case .outcome: outcomes
        case .unregistered: unregistered
        case .retry: retry ?? ""
        default: deadLetter
        }
    }
}
