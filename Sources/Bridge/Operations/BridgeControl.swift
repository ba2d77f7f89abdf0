internal import Spelling

/// What can be asked of a running bridge.
protocol BridgeControl: Sendable {
    /// Stops taking the records of a connector and sending its pushes, or resumes, in this process
    /// and until it ends.
    func setPaused(_ isPaused: Bool, connector: String) async throws(ControlFault)
    /// Releases the mass-invalidation guard of an app: the responses are right. Throws unless it is
    /// engaged.
    func releaseGuard(connector: String, app: String) async throws(ControlFault)
    /// Lets a connector begin that waits because its group is new.
    func begin(connector: String) async throws(ControlFault)
    /// Has a connector trust the wall clock: it is right. Throws unless it is in doubt.
    func releaseClock(connector: String) async throws(ControlFault)
    /// Reads the files again and applies them.
    func reloadOnce() async -> ReloadResult
}

/// Why a request was not carried out, and what to do.
struct ControlFault: Error, Equatable {
    /// The HTTP status.
    var status: Int
    /// What is wrong.
    var message: String
    /// What to do.
    var remedy: String

    /// A name in the URL belongs to nothing; the remedy has the names that exist.
    static func unknown(_ message: String, _ name: String, _ known: [String]) -> ControlFault {
        let nearest = Suggestion.nearest(to: name, among: known)
        let question = nearest.map { "did you mean '\($0)'? " } ?? ""
        return ControlFault(
            status: 404, message: message,
            remedy: "\(question)use one of: \(known.joined(separator: ", "))")
    }

    /// The request is valid, but not now.
    static func conflict(_ message: String, _ remedy: String) -> ControlFault {
        ControlFault(status: 409, message: message, remedy: remedy)
    }
}
