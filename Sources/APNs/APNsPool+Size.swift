public import Delivery
internal import EventLoop

/// Opens more connections while they limit the rate, and closes those that are not needed.
extension APNsPool {
    /// What keeps all connections from accepting another request; nil when nothing did within the
    /// last second.
    public func limit(_ now: Instant) -> ConnectionLimit? { demand.limit(now) }

    /// A request was refused: notes the limit if every connection is in use and was bound by one.
    mutating func noteLimit(bodyBytes: Int, _ now: Instant) {
        var found: ConnectionLimit?
        for index in keepers.indices where keepers[index].state != .paused {
            guard let limit = keepers[index].limit(bodyBytes: bodyBytes) else { return }
            found = limit == .streams ? found ?? limit : limit
        }
        if let found { demand.refused(by: found, now) }
    }

    /// Opens or closes one connection if the demand has changed for long.
    ///
    /// While a credential is on trial their number stays: the trial decides which of them remain.
    mutating func resize<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard settings.connections.count > 1, !isDraining, proved == nil else { return }
        if demand.wantsMore(
            kernel.now, for: max(settings.openAnotherAfter, dialer.stagger)) {
            openAnother(&kernel)
        } else if let time = closesOneAt, time <= kernel.now {
            closeOne(kernel.now)
        }
    }

    /// When one connection closes unless more are needed; nil while the fewest are open.
    var closesOneAt: Instant? {
        guard !isDraining, proved == nil, keepers.count > settings.connections.lowerBound,
            keepers[settings.connections.lowerBound].state != .paused
        else { return nil }
        return demand.wantsFewer(after: settings.closeOneAfter)
    }

    private mutating func openAnother<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard hasHighLatency else { return }
        if let index = keepers.firstIndex(where: { $0.state == .paused }) {
            keepers[index].reopen(kernel.now)
        } else if keepers.count < settings.connections.upperBound {
            let rotation = Int(truncatingIfNeeded: kernel.random() >> 1)
            addKeeper(opensAt: kernel.now, rotation: rotation)
        } else {
            return
        }
        demand.changed(kernel.now)
        expire(&kernel)
    }

    private mutating func closeOne(_ now: Instant) {
        guard let last = keepers.lastIndex(where: { $0.state != .paused }) else { return }
        keepers[last].pause()
        demand.changed(now)
    }

    /// True when a response takes a while even if APNs responds at once.
    private var hasHighLatency: Bool {
        let minimum = settings.minHandshake
        return keepers.allSatisfy { keeper in
            keeper.handshakeTime.map { $0 >= minimum } ?? true
        }
    }
}
