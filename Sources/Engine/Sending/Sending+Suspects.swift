internal import Delivery

/// A push that has suspended sending for its app.
struct SuspectPush: Equatable, Sendable {
    let id: PushID
    /// A hash of its bundle identifier and push type.
    let kind: UInt64
    /// Another push of that kind was accepted since.
    var isAloneRefused = false
}

/// Pushes that are refused where others are accepted: no event can stop an app again and again.
extension Sending {
    /// A push is ended when it would suspend sending once more than this often.
    static var maxSuspensions: Int { 2 }
    /// The most suspects of an app.
    private static var maxSuspects: Int { 64 }

    /// True when APNs accepts the credential for the app's own topic.
    func isOwnTopicProven(_ app: AppID) -> Bool { queues[app].isOwnTopicProven }

    /// APNs has refused the credential for the app's own topic.
    mutating func ownTopicRefused(_ app: AppID) { queues[app].isOwnTopicProven = false }

    /// APNs has accepted a push to the app's own topic.
    mutating func ownTopicProven(_ app: AppID) { queues[app].isOwnTopicProven = true }

    /// True when a push that has suspended its app before is refused again, each time with another
    /// push of its kind accepted since.
    func isAloneRefused(_ id: PushID, of app: AppID) -> Bool {
        !isRefused(app) && queues[app].suspects.contains { $0.id == id && $0.isAloneRefused }
    }

    /// True when pushes have suspended sending for an app and are not done.
    func hasSuspects(_ app: AppID) -> Bool { !queues[app].suspects.isEmpty }

    /// APNs has accepted a push of a kind, with the credential in use.
    mutating func accepted(_ id: PushID, kind: UInt64, of app: AppID) {
        for index in queues[app].suspects.indices
        where queues[app].suspects[index].kind == kind && queues[app].suspects[index].id != id {
            queues[app].suspects[index].isAloneRefused = true
        }
    }

    /// What the engine notes of a push that has suspended sending.
    enum Suspicion {
        /// It is the first time.
        case first
        /// It counts: another push of its kind was accepted since the last time.
        case again
        /// It does not: the fault may be the credential's.
        case unknown
    }

    /// A push has just suspended sending.
    mutating func suspect(
        _ id: PushID, kind: UInt64, of app: AppID, _ pushes: borrowing PushTable
    ) -> Suspicion {
        if let index = queues[app].suspects.firstIndex(where: { $0.id == id }) {
            guard queues[app].suspects[index].isAloneRefused else { return .unknown }
            queues[app].suspects[index].isAloneRefused = false
            return .again
        }
        for index in queues[app].suspects.indices.reversed()
        where !pushes.isCurrent(queues[app].suspects[index].id) {
            queues[app].suspects.remove(at: index)
        }
        if queues[app].suspects.count >= Self.maxSuspects { queues[app].suspects.removeFirst() }
        queues[app].suspects.append(SuspectPush(id: id, kind: kind))
        return .first
    }
}
