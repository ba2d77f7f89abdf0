import APNsSimulator
import BridgeTesting
import Configuration
import Delivery
import Engine

/// Checks that a push is superseded only by one that is newer, so that the newest of each device
/// and collapse ID, or of each Live Activity, never is.
extension Oracle {
    /// A push as its outcome and its record describe it.
    private struct Described {
        var position: Position
        var outcome: String
        /// The timestamp of a Live Activity, with `backlog`, offset and index: whatever has more is
        /// newer; nil when its record has expired, which alone has the timestamp.
        var age: [Int64]?
        /// Its record; nil when it has expired.
        var event: String?
        var isActivity: Bool

        /// What pushes have in common that replace each other.
        var target: [Substring] {
            func text(_ field: StaticString) -> Substring {
                outcome.components(after: field)?.quoted ?? ""
            }
            let collapseID = isActivity ? "" : text(#""collapse_id":""#)
            return [
                text(#""device_token":""#), text(#""bundle_id":""#), text(#""push_type":""#),
                collapseID,
            ]
        }

        /// The `apns-id` of the push that replaced it; nil for any other outcome.
        var supersededBy: String? {
            guard outcome.components(after: #""reason":""#)?.quoted == "superseded" else {
                return nil
            }
            return (outcome.components(after: #""superseded_by":""#)?.quoted).map { String($0) }
        }
    }

    /// With a retry topic, pushes are not in the order of their records.
    func checkSuperseded(_ requests: [JudgedRequest]) {
        guard settings.results.retry == nil, replaced.isEmpty else { return }
        var arrived: Set<String> = []
        for request in requests where request.judgement?.status ?? 200 == 200 {
            arrived.insert(String(decoding: request.identifier, as: UTF8.self))
        }
        var pushes: [String: [Described]] = [:]
        for (position, known) in outcomes {
            for (id, outcomes) in known {
                pushes[id] = outcomes.map { described(position, $0.text) }
            }
        }
        for (id, pushes) in pushes {
            for push in pushes {
                guard let newer = push.supersededBy else { continue }
                check(push, replacedBy: pushesNamed(newer)?.first, hasArrived: arrived.contains(id))
            }
        }
        func pushesNamed(_ id: String) -> [Described]? { pushes[id] }
    }

    private func check(_ push: Described, replacedBy newer: Described?, hasArrived: Bool) {
        if let event = push.event, isCall(event) || event.contains(#""event":"start""#) {
            fail("\(push.position) was superseded, but nothing replaces it")
        }
        guard let newer else {
            return fail("\(push.position) was superseded by a push without outcome")
        }
        if newer.target != push.target {
            fail("\(push.position) was superseded by \(newer.position), which is not for it")
        }
        let (partition, other) = (push.position.partition, newer.position.partition)
        if partition == other, let age = push.age, let newerAge = newer.age,
            !age.lexicographicallyPrecedes(newerAge)
        {
            fail("\(push.position) was superseded by \(newer.position), which is not newer")
        }
        let hasOneOwner =
            assignments[partition]?.count == 1 && !sharedPartitions.contains(partition)
        if hasArrived, hasOneOwner {
            fail("\(push.position) was superseded though it may have arrived")
        }
    }

    private func isCall(_ event: String) -> Bool {
        [#""push_type":"voip""#, #""push_type":"pushtotalk""#].contains(where: event.contains)
    }

    private func described(_ position: Position, _ outcome: String) -> Described {
        let index = (outcome.components(after: #","index":"#)?.digits).flatMap { Int64($0) } ?? 0
        let isActivity = outcome.components(after: #""push_type":""#)?.quoted == "liveactivity"
        let isByTimestamp = isActivity && settings.supersede == .backlog
        let event = event(at: position)
        let timestamp = isByTimestamp ? event.map(activityTimestamp) : 0
        return Described(
            position: position, outcome: outcome,
            age: timestamp.map { [$0, position.offset, index] }, event: event,
            isActivity: isActivity)
    }

    /// The record at a position; nil when it has expired.
    private func event(at position: Position) -> String? {
        let entry = topic.entries(position.partition, from: position.offset).first
        guard let entry, entry.offset == position.offset else { return nil }
        return String(decoding: entry.value ?? [], as: UTF8.self)
    }

    private func activityTimestamp(of event: String) -> Int64 {
        (event.components(after: #""timestamp":"#)?.digits).flatMap { Int64($0) } ?? 0
    }
}
