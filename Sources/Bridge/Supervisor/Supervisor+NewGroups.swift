internal import Configuration
internal import Encoding
internal import Kafka
internal import Telemetry

/// Groups that have committed nothing: they would send everything that their topics hold.
extension Supervisor {
    /// How many seconds pass between two looks whether another member has begun.
    private static var lookInterval: Int { 10 }

    /// Says what a new group would send, and waits for confirmation if the connector asks for it;
    /// false when its member has to end meanwhile.
    func awaitBeginning(_ number: Int, _ prepared: PreparedConnector) async -> Bool {
        guard let backlog = prepared.cluster.backlog, backlog.sendsEverything,
            let index = index(of: number)
        else { return true }
        let connector = members[index].connector
        let mustWait = mustWait(connector, prepared)
        warn(of: backlog, connector, mustWait: mustWait)
        guard mustWait else { return true }
        members[index].awaits = backlog
        publishStatus()
        var seconds = 0
        while let index = self.index(of: number), !isStopping(number), !members[index].mayBegin {
            await members[index].pauses.wait(.seconds(1))
            seconds += 1
            guard seconds.isMultiple(of: Self.lookInterval) else { continue }
            if await hasBegun(connector, number) { break }
        }
        if let index = self.index(of: number) { members[index].awaits = nil }
        publishStatus()
        return !isStopping(number)
    }

    /// True when a connector does not begin before somebody confirms what it would send.
    func mustWait(_ connector: Connector, _ prepared: PreparedConnector) -> Bool {
        prepared.cluster.backlog?.sendsEverything == true
            && connector.source.newGroup == .confirm && !options.beginsNewGroups
    }

    /// True when the group has committed something: another process has begun.
    private func hasBegun(_ connector: Connector, _ number: Int) async -> Bool {
        let (parts, logger) = (parts, logger)
        let found = await check(of: number) { () throws(StartFailure) in
            parts.checkKafka([connector], nil, logger)
        }
        guard case .success(let results)? = found, case .success(let findings)? = results.first
        else { return false }
        return findings.backlog?.sendsEverything == false
    }

    private func warn(of backlog: GroupBacklog, _ connector: Connector, mustWait: Bool) {
        var metadata: Logger.Metadata = [
            "connector": .string(connector.name), "group": .string(connector.source.group),
            "records": .integer(backlog.records),
        ]
        metadata["since"] = backlog.oldest.map { .string(Timestamp.text(milliseconds: $0)) }
        guard mustWait else {
            metadata["action"] = .string(
                "if that is not meant, stop the process and correct source.group, or give the group"
                    + " offsets")
            return logger.warning(
                "the group is new: everything in its topics is sent", metadata: metadata)
        }
        metadata["action"] = .string(
            "to send it, POST /connectors/\(connector.name)/begin, or restart with --begin; else"
                + " correct source.group, or give the group offsets")
        logger.warning("the group is new and waits for confirmation", metadata: metadata)
    }

    /// Lets a connector begin that waits for confirmation.
    func begin(connector: String) throws(ControlFault) {
        let index = try index(named: connector)
        guard members[index].awaits != nil else {
            throw .conflict(
                "connector '\(connector)' does not wait for confirmation",
                "there is nothing to do: 'state' in /status is 'waiting' for those that do")
        }
        members[index].mayBegin = true
        logger.info("beginning confirmed", metadata: ["connector": .string(connector)])
    }
}
