internal import Arguments
internal import Bridge
internal import Configuration
internal import Delivery
internal import Encoding
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
            warn(totals)
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
        var kernel = try LinuxKernel()
        var replay = try Replay(connector, selection, to: topic, isDry: isDry)
        try replay.begin(now: kernel.wallClock)
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
        case .nothingRecorded(let oldest, let kept):
            Console.error(
                "error: nothing is recorded of what was replayed, and the oldest dead letter is of"
                    + " \(Timestamp.text(milliseconds: oldest)): this is the first"
                    + " replay of '\(connector.name)', or Kafka has dropped the offsets of group"
                    + " '\(Replay.group(of: connector))', which it keeps for \(Self.message(kept))"
                    + " after a replay\n"
                    + "  add --since TIME to begin with the dead letters of that time, or"
                    + " --from-beginning to replay all, even if they were replayed before\n"
                    + "Nothing was replayed.")
            return .usage
        case .tooManyPassedOver:
            Console.error(
                "error: too many dead letters are left out to record which others were replayed:"
                    + " stopped before the first that could not be recorded\n"
                    + "  replay the older ones first, without --reason, --since, --where and --to")
            return .failure
        case .kafka(let failure):
            Console.error("error: \(failure)\n  run it again to continue")
            return .unavailable
        }
    }

    /// A time for which Kafka keeps offsets, in whole units.
    private static func message(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        for (unit, size) in [("days", Int64(1440)), ("hours", 60)]
        where minutes % size == 0 && minutes > size {
            return "\(minutes / size) \(unit)"
        }
        return "\(minutes) minutes"
    }

    /// Says how to replay dead letters if this connector has none of its own.
    private func warn(_ totals: ReplayTotals) {
        guard totals.foreign > 0, totals.foreign == totals.read else { return }
        let names = totals.foreignNames.sorted()
        Console.error(
            "warning: all of these dead letters are of other connectors:"
                + " \(names.joined(separator: ", "))\n"
                + "  a connector has the name of its file: replay them with a file named"
                + " \(names.map { $0 + ".yaml" }.joined(separator: " or "))")
    }

    private func summary(_ totals: ReplayTotals) -> String {
        let verb = isDry ? "would be replayed" : "replayed"
        let rows = [
            (totals.replayed, "\(verb) to \(topic)"),
            (totals.expired, "of these have expired and would be dropped"),
            (totals.passedOver, "left out by the selection"),
            (totals.skipped, "before --since, where nothing is recorded: they count as replayed"),
            (totals.tooOften, "replayed \(selection.maxReplays) times before (--max-replays)"),
            (totals.givenUp, "of these count as replayed now: Kafka cannot record so many"),
            (
                totals.oneOfMany,
                "of events with several pushes, which would all be sent: leave out --to"
            ),
            (totals.withoutValue, "without a value: they cannot be replayed"),
            (totals.foreign, "of other connectors"),
            (totals.damaged, "that name no event"),
            (totals.unsealed, "without a valid seal: written by someone else, or with other keys"),
        ]
        return "\(connector.name): dead letters read: \(totals.read)\n"
            + rows.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
            .map { "  \($0.element.0) \($0.element.1)\n" }.joined()
    }
}
