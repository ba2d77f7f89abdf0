internal import APNs
internal import Arguments
internal import Bridge
internal import Configuration
internal import ConnectorTesting
internal import EventLoop

/// One run of `send`, from the check of the connection to its summary.
struct SendRun: Sendable {
    let rendered: RenderedRecord
    let connector: Connector
    let format: OutputFormat
    /// When the record was rendered, in milliseconds since 1970.
    let now: Int64

    private struct Arrival: Sendable {
        var push: Int
        var report: PushReport
    }

    /// Sends the pushes, and shows each response as it arrives; a signal ends it early.
    func run() async -> ExitCode {
        // Until now a signal ends the process: nothing has been sent.
        Signals.watch(Signals.termination)
        let stop = StopFlag()
        let listener = stop.listen()
        defer { listener.cancel() }

        var sent = SentRecord(rendered, credentials: connector.apns.apps.map(\.credential.kind))
        // Not on the thread that sends: a reader that does not read must not hold up responses.
        let (arrivals, arrival) = AsyncStream<Arrival>.makeStream()
        let sending = Task { await send(until: stop, arrival) }
        for await one in arrivals {
            show(sent.add(one.report, toPush: one.push, now: now))
        }
        switch await sending.value {
        case .success(let reports):
            show(sent.end(reports, now: now))
            showJSON(sent)
            return code(of: sent)
        case .failure(let failure):
            Console.error(connector.resolved.hide(in: "\(failure)\nNothing was sent."))
            let report = PushReport(.notSent(reason: "\(failure)"))
            _ = sent.end(rendered.pushes.map { _ in report }, now: now)
            showJSON(sent)
            return failure.kind == .configuration ? .configuration : .unavailable
        }
    }

    private func send(
        until stop: StopFlag, _ arrival: AsyncStream<Arrival>.Continuation
    ) async -> Result<[PushReport], StartFailure> {
        defer { arrival.finish() }
        do throws(StartFailure) {
            let reports = try await DirectSending.send(
                rendered.pushes, of: connector, until: { stop.isSet },
                report: { arrival.yield(Arrival(push: $0, report: $1)) })
            return .success(reports)
        } catch {
            return .failure(error)
        }
    }

    private func code(of sent: SentRecord) -> ExitCode {
        if sent.isAccepted { return .success }
        if sent.wasInterrupted { return .tryAgain }
        return sent.count(of: .notSent) > 0 ? .unavailable : .failure
    }

    private func show(_ text: String) {
        if format == .text { Console.output(connector.resolved.hide(in: text)) }
    }

    /// JSON is one document, with all notifications in order.
    private func showJSON(_ sent: SentRecord) {
        guard format == .json else { return }
        Console.output(connector.resolved.hide(in: sent.json()) + [UInt8(ascii: "\n")])
    }
}
