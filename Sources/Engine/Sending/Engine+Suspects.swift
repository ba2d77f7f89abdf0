internal import APNs
internal import Delivery
internal import EventLoop

/// A push that has suspended sending for its app.
struct SuspectPush: Equatable, Sendable {
    let id: PushID
    /// A hash of its bundle identifier and push type.
    let kind: UInt64
    /// Another push of that kind was accepted since.
    var isAloneRefused = false
}

/// Pushes that are refused where others are accepted: no event can stop an app again and again.
extension Engine {
    /// A push is ended when it would suspend sending once more than this often.
    private static var maxSuspensions: Int { 2 }
    /// The most suspects of an app.
    private static var maxSuspects: Int { 64 }

    /// True when a push alone explains that it was refused: it names a topic other than its app's
    /// own, for which APNs accepts the credential, or it has suspended sending before, each time
    /// with another push of its kind accepted since.
    func isItselfAtFault(_ id: PushID, _ row: ReasonRow) -> Bool {
        let app = pushes[id].app
        if row.scope == .app, !isForOwnTopic(id), queues[app].isOwnTopicProven { return true }
        guard pushes[details: id].suspensions >= Self.maxSuspensions,
            !queues[app].breaker.isOpen, !queues[breakerOf: app].isOpen
        else { return false }
        return queues[app].suspects.contains { $0.id == id && $0.isAloneRefused }
    }

    /// True for a push to the topic that is the app's bundle identifier.
    func isForOwnTopic(_ id: PushID) -> Bool {
        pushes[id].content.bundleCount == 0
            && (pushes[id].pushType == .alert || pushes[id].pushType == .background)
    }

    /// APNs has accepted a push with the credential in use.
    mutating func noteProof(by id: PushID) {
        let app = pushes[id].app
        if !queues[app].isOwnTopicProven, isForOwnTopic(id) {
            queues[app].isOwnTopicProven = true
        }
        guard !queues[app].suspects.isEmpty else { return }
        let kind = kind(of: id)
        for index in queues[app].suspects.indices
        where queues[app].suspects[index].kind == kind && queues[app].suspects[index].id != id {
            queues[app].suspects[index].isAloneRefused = true
        }
    }

    /// A push has just suspended sending. It counts again only if another push of its kind was
    /// accepted since the last time: otherwise the fault may be the credential's.
    mutating func noteSuspension(by id: PushID) {
        let app = pushes[id].app
        if let index = queues[app].suspects.firstIndex(where: { $0.id == id }) {
            guard queues[app].suspects[index].isAloneRefused else { return }
            queues[app].suspects[index].isAloneRefused = false
            return pushes.change(id) { $0.suspensions += 1 }
        }
        for index in queues[app].suspects.indices.reversed()
        where !pushes.isCurrent(queues[app].suspects[index].id) {
            queues[app].suspects.remove(at: index)
        }
        if queues[app].suspects.count >= Self.maxSuspects { queues[app].suspects.removeFirst() }
        queues[app].suspects.append(SuspectPush(id: id, kind: kind(of: id)))
        pushes.change(id) { $0.suspensions = max(1, $0.suspensions) }
    }

    /// A hash of the bundle identifier and the type of a push.
    private func kind(of id: PushID) -> UInt64 {
        var hash = TextHash(UInt64(pushes[id].pushType.number))
        records[pushes[id].record.slot].stored.withOwnBundleID(pushes[id].content) { hash.add($0) }
        return hash.value
    }
}
