internal import Arguments
internal import Bridge
internal import Configuration
internal import ConnectorTesting
internal import Delivery
internal import EventLoop

/// Runs connectors without sending anything: see `run --dry-run`.
struct DryRunCommand: Sendable {
    let start: DryRun.Start
    let follows: Bool
    let format: OutputFormat

    /// Reads to the end, or until a signal, and prints what would be sent.
    func run(_ connectors: [Connector]) async -> ExitCode {
        // What references resolve to is not printed.
        let resolved = ResolvedValues(of: connectors)
        let stop = StopFlag()
        let listener = stop.listen()
        defer { listener.cancel() }
        do {
            let clusters = try await blocking("dry-run") { try SourceCheck.look(for: connectors) }
            let totals = try await withThrowingTaskGroup(of: (Int, DryRunTotals).self) { group in
                for (index, connector) in connectors.enumerated() {
                    group.addTask {
                        (index, try await read(connector, clusters[index], stop))
                    }
                }
                var all: [(Int, DryRunTotals)] = []
                for try await one in group { all.append(one) }
                return all.sorted { $0.0 < $1.0 }.map(\.1)
            }
            show(totals, resolved)
            return .success
        } catch let failure as StartFailure {
            Console.error(resolved.hide(in: "\(failure)\nNothing was read."))
            return failure.kind == .configuration ? .configuration : .unavailable
        } catch let failure as KafkaFailure {
            Console.error(resolved.hide(in: "error: \(failure)\(Self.remedy(for: failure))"))
            return failure.isAboutRights ? .configuration : .unavailable
        } catch {
            Console.error(resolved.hide(in: "error: \(error)"))
            return .unavailable
        }
    }

    /// What to do about a failure, on lines of its own.
    private static func remedy(for failure: KafkaFailure) -> String {
        switch failure.code {
        case "GROUP_AUTHORIZATION_FAILED":
            "\n  grant this user DESCRIBE on the group, or add --from-beginning"
        case "TOPIC_AUTHORIZATION_FAILED": "\n  grant this user READ on the topic"
        default: ""
        }
    }

    private func read(
        _ connector: Connector, _ clusterID: String, _ stop: StopFlag
    ) async throws -> DryRunTotals {
        try await blocking("dry-run-\(connector.name)") {
            var run = try DryRun(
                connector, clusterID: clusterID, from: start, follows: follows)
            var isGoingOn = true
            while isGoingOn, !stop.isSet { isGoingOn = try run.step(now: WallClock.milliseconds) }
            var totals = run.totals
            totals.wasStopped = isGoingOn && !follows
            return totals
        }
    }

    private func show(_ totals: [DryRunTotals], _ resolved: ResolvedValues) {
        switch format {
        case .text:
            Console.output(resolved.hide(in: totals.map(\.text).joined(separator: "\n")))
            Console.error("Nothing was sent or committed.")
        case .json:
            for one in totals {
                Console.output(resolved.hide(in: one.json()) + [UInt8(ascii: "\n")])
            }
        }
    }
}
