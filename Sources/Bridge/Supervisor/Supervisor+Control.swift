internal import Configuration
internal import Engine
internal import EventLoop
internal import Telemetry

/// What an operator asks of a running process.
extension Supervisor {
    /// Has every worker release the mass-invalidation guards that are engaged, and add them to a
    /// count.
    public func release(_ count: ReleaseCount) {
        for member in members { post(.release(app: nil, count), to: member) }
    }

    /// Asks every worker for its totals, which arrive as events, and to publish its figures.
    public func requestReports() {
        for member in members { post(.report, to: member) }
    }

    private func post(_ message: WorkerMessage, to member: Member) {
        for mailbox in member.mailboxes { mailbox.post(message) }
    }
}

extension Member {
    /// What each worker last reported about an app for which it suspends sending.
    fileprivate func suspensions(of app: String) -> [EngineState.SuspendedApp] {
        boards.compactMap(\.latest).flatMap(\.state.suspendedApps).filter { $0.name == app }
    }
}

extension Supervisor: BridgeControl {
    func setPaused(_ isPaused: Bool, connector: String) throws(ControlFault) {
        let index = try index(named: connector)
        // One that was paused while it started may be resumed, for the next start.
        if isPaused, let failure = members[index].failure {
            throw .conflict(
                "connector '\(connector)' failed to start: "
                    + (failure.diagnostics.first?.message ?? ""),
                "fix the cause: it is checked again once a minute, and at once by POST /reload")
        }
        members[index].isPaused = isPaused
        post(.pause(isPaused), to: members[index])
        publishStatus()
    }

    func releaseGuard(connector: String, app: String) throws(ControlFault) {
        let member = members[try index(named: connector)]
        let names = member.connector.apns.apps.map(\.name)
        guard names.contains(app) else {
            throw .unknown("connector '\(connector)' has no app '\(app)'", app, names)
        }
        let suspensions = member.suspensions(of: app)
        guard suspensions.contains(where: \.isGuarded) else {
            throw .conflict(
                "the guard of app '\(app)' of connector '\(connector)' is not engaged",
                Self.whatSuspends(app, suspensions))
        }
        logger.info(
            "release of the guard requested",
            metadata: ["connector": .string(connector), "app": .string(app)])
        post(.release(app: app), to: member)
    }

    func releaseClock(connector: String) throws(ControlFault) {
        let member = members[try index(named: connector)]
        let isInDoubt = member.boards.compactMap(\.latest).contains { $0.state.clockDoubt != nil }
        guard isInDoubt else {
            throw .conflict(
                "connector '\(connector)' does not doubt the clock",
                "there is nothing to release: a doubt is a problem of the kind 'clock' in /status")
        }
        logger.info(
            "release of the clock requested", metadata: ["connector": .string(connector)])
        post(.releaseClock, to: member)
    }

    /// What to know about an app whose guard is not engaged.
    private static func whatSuspends(
        _ app: String, _ suspensions: [EngineState.SuspendedApp]
    ) -> String {
        guard let refusal = suspensions.compactMap(\.refusal).first else {
            return "there is nothing to release: the apps with 'guard: true' in 'suspended_apps' of"
                + " /status are those whose guard is engaged"
        }
        return "the circuit breaker suspends sending for '\(app)', because APNs responds"
            + " \(refusal.response), and cannot be released: sending resumes when a probe"
            + " succeeds. \(refusal.meaning)"
    }

    func index(named name: String) throws(ControlFault) -> Int {
        if let index = members.firstIndex(where: { $0.connector.name == name }) { return index }
        guard hasStarted else {
            throw .conflict("the process is still starting", "send the request again later")
        }
        throw .unknown("no connector is named '\(name)'", name, members.map(\.connector.name))
    }
}
