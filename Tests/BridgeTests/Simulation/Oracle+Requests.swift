import APNsSimulator
import Configuration
import Engine

/// Checks the requests that APNs has received: what may have arrived is sent again only where the
/// connector allows that.
extension Oracle {
    /// A push as its outcome describes it.
    private struct Described {
        var position: Position
        var index: Int
        /// Its device and collapse ID; nil without a collapse ID.
        var collapseKey: String?
        /// True for an update or the end of a Live Activity: its timestamp orders it.
        var isOrdered: Bool

        init(_ position: Position, _ outcome: String) {
            func text(_ field: StaticString) -> Substring {
                outcome.components(after: field)?.quoted ?? ""
            }
            self.position = position
            index = (outcome.components(after: #","index":"#)?.digits).flatMap { Int($0) } ?? 0
            let collapseID = text(#""collapse_id":""#)
            isOrdered = text(#""push_type":""#) == "liveactivity"
            guard !collapseID.isEmpty else { return }
            collapseKey =
                "\(text(#""device_token":""#)) \(collapseID) \(text(#""bundle_id":""#))"
                + " \(text(#""push_type":""#))"
        }

        func follows(_ other: Described) -> Bool {
            position.partition == other.position.partition
                && (position.offset, index) > (other.position.offset, other.index)
        }
    }

    /// A request for a push.
    private struct Attempt {
        var time: Int64
        /// APNs accepted it, or did not respond: without a response, the push is in doubt.
        var mayHaveArrived: Bool
    }

    /// How long a request or a partition may be on its way from one owner to the next.
    private static var handoverTime: Int64 { 10_000 }
    /// How much later a request may arrive than one that was sent afterwards.
    private static var maxOvertaken: Int64 { 3000 }

    /// Checks all requests, oldest first. With a retry topic a push has several owners.
    func check(_ requests: [JudgedRequest]) {
        for request in requests where request.deviceToken?.hasPrefix(ForgedRetryCheck.tokenPrefix)
            == true {
            fail("a forged record was sent")
        }
        checkSuperseded(requests)
        guard settings.results.retry == nil, !hasClockJumped else { return }
        var attempts: [String: [Attempt]] = [:]
        for request in requests {
            let id = String(decoding: request.identifier, as: UTF8.self)
            let status = request.judgement?.status ?? 200
            attempts[id, default: []].append(
                Attempt(time: request.arrivedAt, mayHaveArrived: status == 200))
        }
        let pushes = described()
        for (id, push) in pushes {
            guard let own = attempts[id], own.count > 1 else { continue }
            let newer = pushes.filter {
                $0.value.follows(push) && $0.value.collapseKey == push.collapseKey
            }
            let sentLater = newer.keys.flatMap { attempts[$0] ?? [] }
            for (former, latter) in zip(own, own.dropFirst())
            where hasOneOwner(push, former, latter) {
                if former.mayHaveArrived, settings.inDoubt != .resend,
                    !mayRepeat(push, latter, sentLater)
                {
                    fail("\(push.position) was sent again at \(latter.time) though in doubt")
                }
                if settings.supersede != .none, push.collapseKey != nil,
                    let first = sentLater.first(where: { overtakes(latter, $0, former) })
                {
                    fail("\(push.position) was sent at \(latter.time) over one of \(first.time)")
                }
            }
        }
    }

    private func described() -> [String: Described] {
        var pushes: [String: Described] = [:]
        for (position, known) in outcomes {
            for (id, outcomes) in known {
                pushes[id] = outcomes.first.map { Described(position, $0.text) }
            }
        }
        return pushes
    }

    /// True when the same worker sent both requests, in the same assignment.
    private func hasOneOwner(_ push: Described, _ former: Attempt, _ latter: Attempt) -> Bool {
        let partition = push.position.partition
        guard !sharedPartitions.contains(partition), !replaced.contains(partition) else {
            return false
        }
        let between = former.time - Self.handoverTime...latter.time
        return !(assignments[partition] ?? []).contains { between.contains($0) }
    }

    /// True when a push is sent again although a newer one that it replaces has arrived since its
    /// attempt before.
    private func overtakes(_ latter: Attempt, _ newer: Attempt, _ former: Attempt) -> Bool {
        newer.mayHaveArrived && newer.time > former.time
            && newer.time + Self.maxOvertaken < latter.time
    }

    /// True when a push in doubt may be sent again: its timestamp orders it, or it replaces itself
    /// on the device, and nothing newer that it would replace was sent before.
    private func mayRepeat(_ push: Described, _ latter: Attempt, _ newer: [Attempt]) -> Bool {
        guard settings.inDoubt == .collapse, !push.isOrdered else {
            return settings.inDoubt == .collapse
        }
        return push.collapseKey != nil
            && newer.allSatisfy {
                !$0.mayHaveArrived || $0.time + Self.maxOvertaken > latter.time
            }
    }
}
