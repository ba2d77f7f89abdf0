internal import Configuration
internal import Engine
internal import EventLoop
internal import Telemetry

/// What an operator asks of a running process.
extension Supervisor {
    /// Releases the mass-invalidation guard of every app; false if none was engaged when workers
    /// last reported.
    public func release() -> Bool {
        let isEngaged = members.contains { $0.isGuarding() }
        for member in members { post(.release(app: nil), to: member) }
        return isEngaged
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
    /// True if a worker last reported that its guard suspends sending for this app, or for any.
    fileprivate func isGuarding(_ app: String? = nil) -> Bool {
        boards.compactMap(\.latest).flatMap(\.state.suspendedApps).contains {
            $0.isGuarded && (app == nil || $0.name == app)
        }
    }
}

extension Supervisor: BridgeControl {
    func setPaused(_ isPaused: Bool, connector: String) throws(ControlFault) {
        let index = try index(named: connector)
        if let failure = members[index].failure {
            throw .conflict(
                "connector '\(connector)' failed to start: "
                    + (failure.diagnostics.first?.message ?? ""),
                "fix the cause, then reload: POST /reload")
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
        guard member.isGuarding(app) else {
            throw .conflict(
                "the guard of app '\(app)' of connector '\(connector)' is not engaged",
                "there is nothing to release: 'suspended_apps' in /status lists the apps whose"
                    + " guard is engaged")
        }
        logger.info(
            "guard released by request",
            metadata: ["connector": .string(connector), "app": .string(app)])
        post(.release(app: app), to: member)
    }

    private func index(named name: String) throws(ControlFault) -> Int {
        if let index = members.firstIndex(where: { $0.connector.name == name }) { return index }
        guard hasStarted else {
            throw .conflict("the process is still starting", "send the request again later")
        }
        throw .unknown("no connector is named '\(name)'", name, members.map(\.connector.name))
    }
}
