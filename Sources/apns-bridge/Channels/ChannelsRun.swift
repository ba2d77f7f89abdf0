internal import APNs
internal import Arguments
internal import Bridge
internal import Configuration
internal import EventLoop
internal import JSON

/// One run of `channels`: a request, and what became of it.
struct ChannelsRun: Sendable {
    let request: ChannelRequest
    let app: AppSettings
    let connector: Connector
    let format: OutputFormat
    /// True if the endpoint is an option, and not that of the connector file.
    let hasOwnEndpoint: Bool
    /// The command that lists the channels.
    let list: String

    /// Sends the request and shows what became of it; a signal ends it early.
    func run() async -> ExitCode {
        // Until now a signal ends the process: nothing has been sent.
        Signals.watch(Signals.termination)
        let stop = StopFlag()
        let listener = stop.listen()
        defer { listener.cancel() }
        do throws(StartFailure) {
            let report = try await DirectSending.send(
                request, for: app, of: connector, until: { stop.isSet })
            show(report)
            return code(of: report)
        } catch {
            let reason = hasOwnEndpoint ? Self.namingOptions("\(error)") : "\(error)"
            Console.error(connector.resolved.hide(in: "\(reason)\nNothing was sent."))
            if format == .json { show(ChannelReport(.failed(.notSent(reason: reason)))) }
            return error.kind == .configuration ? .configuration : .unavailable
        }
    }

    /// A message about keys of the connector file as one about the options in their place.
    private static func namingOptions(_ message: String) -> String {
        message.replacing("'endpoint'", with: "--endpoint")
            .replacing("'ca_file'", with: "--ca-file")
            .replacing("set ca_file to", with: "set --ca-file to")
    }

    private func show(_ report: ChannelReport) {
        let result = ChannelResult(report, of: request, app, list: list)
        switch format {
        case .text:
            if let text = result.output { Console.output(connector.resolved.hide(in: text)) }
            if let text = result.message { Console.error(connector.resolved.hide(in: text)) }
        case .json:
            Console.output(connector.resolved.hide(in: result.json()) + [UInt8(ascii: "\n")])
        }
    }

    private func code(of report: ChannelReport) -> ExitCode {
        if case .failed(.interrupted) = report.result { return .tryAgain }
        return switch ChannelResult.Verdict(report) {
        case .created, .read, .listed, .deleted, .gone: .success
        case .rejected, .unknown: .failure
        case .notSent: .unavailable
        }
    }
}
