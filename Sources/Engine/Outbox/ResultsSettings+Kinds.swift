internal import Configuration

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
