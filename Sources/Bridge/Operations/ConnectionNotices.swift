internal import Telemetry

/// Decides what a running process logs about apps without a connection to APNs: one line when that
/// has lasted for a while, one a minute while it lasts, and one when it ends, however many workers
/// and apps notice it.
struct ConnectionNotices {
    /// How long an app may be without a connection before the log says so: the warning about a
    /// first failure stands there already.
    static let timeout = Duration.seconds(10)

    private struct Lasting {
        let since: Duration
        var next: Duration
        var wasSaid = false
    }

    private struct Cut {
        var apps: [String] = []
        var workers = 0
        var failures = 0
        var latest: ConnectionOutage?
    }

    private var lasting: [String: Lasting] = [:]

    /// The lines that are due.
    mutating func look(
        _ rows: [BridgeStatus.Reading.Worker], at now: Duration
    ) -> [RunningLog.Line] {
        var lines: [RunningLog.Line] = []
        var names: [String] = []
        for row in rows where !names.contains(row.worker.connector) {
            names.append(row.worker.connector)
        }
        for name in names {
            let rows = rows.filter { $0.worker.connector == name }
            // A worker that is being restarted says nothing about APNs.
            guard rows.contains(where: { $0.figures != nil }) else { continue }
            if let line = follow(Self.cut(rows), of: name, now) { lines.append(line) }
        }
        lasting = lasting.filter { names.contains($0.key) }
        return lines
    }

    private static func cut(_ rows: [BridgeStatus.Reading.Worker]) -> Cut {
        var cut = Cut()
        for row in rows {
            guard let figures = row.figures, !figures.isDraining else { continue }
            let apart = zip(row.worker.apps, figures.apps).filter { $1.ready == 0 }
            guard let outage = apart.compactMap(\.1.outage).first else { continue }
            cut.workers += 1
            cut.failures += outage.failures
            cut.latest = outage
            for (app, _) in apart where !cut.apps.contains(app) { cut.apps.append(app) }
        }
        return cut
    }

    private mutating func follow(
        _ cut: Cut, of connector: String, _ now: Duration
    ) -> RunningLog.Line? {
        var metadata: Logger.Metadata = ["connector": .string(connector)]
        guard let outage = cut.latest else {
            guard let ended = lasting.removeValue(forKey: connector), ended.wasSaid else {
                return nil
            }
            metadata["seconds"] = Self.seconds(since: ended, now)
            return RunningLog.Line(
                level: .info, message: "APNs reachable again", metadata: metadata)
        }
        var known = lasting[connector] ?? Lasting(since: now, next: now + Self.timeout)
        defer { lasting[connector] = known }
        guard now >= known.next else { return nil }
        known.next = now + RunningLog.interval
        let message = known.wasSaid ? "APNs still unreachable" : "APNs unreachable"
        known.wasSaid = true
        metadata["apps"] = .strings(cut.apps.sorted())
        metadata["workers"] = .number(cut.workers)
        metadata["failures"] = .number(cut.failures)
        metadata["seconds"] = Self.seconds(since: known, now)
        metadata["cause"] = .string(outage.cause.step)
        metadata["detail"] = .string(outage.detail)
        metadata["action"] = .string(
            "check the step that fails with 'apns-bridge doctor'; nothing is lost, and sending"
                + " resumes")
        return RunningLog.Line(level: .error, message: message, metadata: metadata)
    }

    private static func seconds(since state: Lasting, _ now: Duration) -> MetadataValue {
        .integer((now - state.since).components.seconds)
    }
}
