internal import APNsSimulator
internal import Arguments
internal import EventLoop

/// Runs an APNs of one's own until a signal comes.
struct SimulatorVerb: Verb {
    static let command = Command(
        "simulator",
        abstract: "Runs an APNs of your own: strict like Apple's, and scriptable.",
        examples: [
            "apns-bridge simulator",
            "apns-bridge simulator --port 2197 --state ./simulator --answers answers.yaml",
            "apns-bridge simulator --record pushes.jsonl",
            "apns-bridge simulator token",
        ],
        discussion: discussion,
        options: [
            SimulatorOptions.host, SimulatorOptions.port, SimulatorOptions.hostNames,
            SimulatorOptions.state, SimulatorOptions.answers, SimulatorOptions.adminHost,
            SimulatorOptions.adminPort, SimulatorOptions.record,
        ],
        flags: [SimulatorOptions.development, SimulatorOptions.noAdmin],
        subcommands: [SimulatorTokenVerb.command],
        requiresSubcommand: false)

    private static let discussion = """
        A push in which nothing is wrong is answered with 200. Device tokens that begin with
        these digits are answered otherwise:

        \(SimulatorBehaviour.builtIn.description.split(separator: "\n").map { "  " + $0 }
            .joined(separator: "\n"))

        A push is a device token and an apns-id. A file of answers comes before these:

          built_in: true                  # false: only what stands here
          answers:
            - device_token: "c0ffee"      # how the device token begins; "" for all
              status: 503
              reason: ServiceUnavailable
              first: 3                    # only the first 3 attempts of a push
              latency: 250ms
            - {device_token: "abad", status: 410, reason: Unregistered, timestamp: 1767225600000}
            - {device_token: "1057", lost: true}   # the connection is cut, nothing is answered
        """

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        if parsed.path.count > 1 { return SimulatorTokenVerb.run(parsed) }
        let signals = Signals.termination()
        do throws(SimulatorError) {
            let options = try SimulatorOptions(parsed)
            let server = SimulatorServer(try options.configuration())
            if let file = options.record { try server.memory?.record(to: file) }
            let port = try choosing("port") { () throws(SimulatorError) in
                try server.start(host: options.host, port: options.port)
            }
            let adminPort = try options.adminPort.map { port throws(SimulatorError) in
                try choosing("admin-port") { () throws(SimulatorError) in
                    try server.startAdministration(
                        host: options.adminHost, port: port, hostNames: options.hostNames)
                }
            }
            Console.output(options.announcement(port: port, adminPort: adminPort))
            for await _ in signals { break }
            server.stop()
            return .success
        } catch {
            return error.report()
        }
    }
}

/// Says with which option another port is chosen, when one cannot be had.
private func choosing<Result>(
    _ option: String, _ body: () throws(SimulatorError) -> Result
) throws(SimulatorError) -> Result {
    do throws(SimulatorError) {
        return try body()
    } catch {
        guard error.code == .addressUnavailable else { throw error }
        throw SimulatorError(error.code, "\(error.description); choose another with --\(option)")
    }
}

extension SimulatorError {
    /// Tells the user, and says how the process ends.
    func report() -> ExitCode {
        Console.error("error: \(description)")
        switch code {
        case .addressUnavailable: return .unavailable
        case .state, .answers: return .configuration
        case .identity: return .software
        }
    }
}
