internal import Arguments
internal import Bridge
internal import Configuration
internal import Delivery
internal import EventLoop

/// One replay, from the check of its topics to its summary.
struct ReplayRun: Sendable {
    let connector: Connector
    let selection: ReplaySelection
    let topic: String
    let isDry: Bool
    let perSecond: Int?

    /// The most dead letters between two commits.
    private static let batch = 500

    func run() async -> ExitCode {
        let stop = StopFlag()
        let listener = stop.listen()
        defer { listener.cancel() }
        do {
            let totals = try await blocking("replay") {
                try ReplayCheck.check(connector, to: topic)
                return try replay(stop)
            }
            Console.output(summary(totals))
            if stop.isSet { Console.error("Stopped early: run it again to continue.") }
            return stop.isSet ? .tryAgain : .success
        } catch let failure as StartFailure {
            Console.error("\(failure)\nNothing was replayed.")
            return failure.kind == .configuration ? .configuration : .unavailable
        } catch let interruption as ReplayInterruption {
            return report(interruption)
        } catch {
            Console.error("error: \(error)\n  run it again to continue")
            return .unavailable
        }
    }

    private func replay(_ stop: StopFlag) throws -> ReplayTotals {
        var replay = try Replay(connector, selection, to: topic, isDry: isDry)
        var kernel = LinuxKernel()
        var progress = ProgressLine()
        let pace = perSecond.map { EvenPace(start: kernel.now, perSecond: $0) }
        var isGoingOn = true
        while isGoingOn, !stop.isSet {
            if let pace { pace.wait(for: replay.totals.replayed, &kernel) }
            let limit = min(Self.batch, max(1, (perSecond ?? .max) / 10))
            isGoingOn = try replay.step(atMost: limit, now: kernel.wallClock)
            try replay.commit()
            let (done, all, count) = (replay.position, replay.total, replay.totals.replayed)
            progress.show(isLast: !isGoingOn) {
                "\(done) of \(all) dead letters read, \(count) \(isDry ? "selected" : "replayed")"
            }
        }
        progress.end()
        return replay.totals
    }

    private func report(_ interruption: ReplayInterruption) -> ExitCode {
        switch interruption {
        case .anotherReplay:
            Console.error(
                "error: another replay of '\(connector.name)' is running\n"
                    + "  wait until it ends, then run this again")
            return .tryAgain
        case .tooManyPassedOver:
            Console.error(
                "error: too many dead letters are left out to record which were replayed\n"
                    + "  replay the older ones first, without --reason, --since and --where")
            return .failure
        case .kafka(let failure):
            Console.error("error: \(failure)\n  run it again to continue")
            return .unavailable
        }
    }

    private func summary(_ totals: ReplayTotals) -> String {
        let verb = isDry ? "would be replayed" : "replayed"
        let rows = [
            (totals.replayed, "\(verb) to \(topic)"),
            (totals.expired, "of these have expired and would be dropped"),
            (totals.passedOver, "left out by the selection"),
            (totals.tooOften, "replayed \(selection.maxReplays) times before (--max-replays)"),
            (totals.withoutValue, "without a value: they cannot be replayed"),
            (totals.foreign, "of other connectors"),
            (totals.damaged, "that name no event"),
        ]
        return "\(connector.name): dead letters read: \(totals.read)\n"
            + rows.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
            .map { "  \($0.element.0) \($0.element.1)\n" }.joined()
    }
}
