internal import Synchronization

/// Whether APNs has accepted a credential that was offered to the workers of a connector.
///
/// It travels with the offer to each worker. The first response to a push that is signed with the
/// credential decides; an accepted one outweighs a refused one.
public final class RenewalResult: Sendable {
    /// What is known about a credential.
    enum Verdict: Sendable {
        case accepted, refused
    }

    private let state = Mutex<Verdict?>(nil)

    /// Creates a result that is not known yet.
    public init() {}

    /// Nil until APNs has judged the credential.
    var verdict: Verdict? { state.withLock { $0 } }

    func settle(_ verdict: Verdict) {
        state.withLock { if $0 != .accepted { $0 = verdict } }
    }
}
