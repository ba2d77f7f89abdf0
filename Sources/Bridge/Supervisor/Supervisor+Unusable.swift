internal import Configuration
internal import Telemetry

/// Connectors whose files are right and name something that is not: they start once it is.
extension Supervisor {
    /// Why each of them cannot be started.
    var failuresOfUnusable: [StartFailure] {
        unusable.map { StartFailure(.configuration, $0.diagnostics) }
    }

    /// Reads the files again once a minute while a connector is unusable.
    func retryUnusable() {
        guard options.files != nil, unusableRetry == nil, !unusable.isEmpty else { return }
        unusableRetry = Task {
            while !unusable.isEmpty, !isStopping(nil), !Task.isCancelled {
                await parts.sleep(Self.failedPause)
                await startUsable()
            }
            unusableRetry = nil
        }
    }

    /// Starts the connectors that have become usable. A mistake in any file is the affair of the
    /// next reload, and so is everything else that has changed.
    private func startUsable() async {
        guard let files = options.files, !isReloading, !isStopping(nil) else { return }
        let reading = await onThread("reload") { files.read() }
        guard !isReloading, !isStopping(nil), reading.errors.isEmpty else { return }
        for connector in reading.connectors {
            guard let index = unusable.firstIndex(where: { $0.name == connector.name }) else {
                continue
            }
            unusable.remove(at: index)
            add(connector, Launch(member: 0))
        }
        sortMembers(like: reading.connectors)
        publishStatus()
    }

    /// Keeps what a reload found to be unusable, and returns what it did about each. A connector
    /// that runs, or is checked again and again, continues with what it has.
    func adopt(unusable found: [UnusableConnector]) -> [ReloadResult.Change] {
        let known = unusable.map(\.name)
        let names = members.map(\.connector.name)
        unusable = found.filter { !names.contains($0.name) }
        for one in unusable { logFailure(of: one.name, one.diagnostics) }
        retryUnusable()
        return found.map { one in
            let kind: ReloadResult.Change.Kind =
                names.contains(one.name)
                ? .refused : known.contains(one.name) ? .retried : .added
            return .init(connector: one.name, kind: kind, problems: one.diagnostics)
        }
    }
}
