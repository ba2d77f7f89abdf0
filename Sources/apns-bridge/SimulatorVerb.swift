internal import APNsSimulator
internal import Arguments
internal import EventLoop

/// Runs the APNs simulator until a signal arrives.
struct SimulatorVerb: Verb {
    static let command = Command(
        "simulator",
        abstract: "Runs a local APNs that is as strict as Apple's, and scriptable.",
        examples: [
            "apns-bridge simulator",
            "apns-bridge simulator --port 2197 --state ./simulator --scenario bad-day",
            "apns-bridge simulator --record pushes.jsonl",
            "apns-bridge simulator token",
        ],
        discussion: discussion,
        options: [
            SimulatorOptions.host, SimulatorOptions.port, SimulatorOptions.hostNames,
            SimulatorOptions.state, SimulatorOptions.keys, SimulatorOptions.scenario,
            SimulatorOptions.responses, SimulatorOptions.adminHost, SimulatorOptions.adminPort,
            SimulatorOptions.record, SimulatorOptions.strings,
        ],
        flags: [
            SimulatorOptions.development, SimulatorOptions.managesDevices, SimulatorOptions.hasPass,
            SimulatorOptions.noAdmin, SimulatorOptions.listScenarios,
        ],
        subcommands: [SimulatorTokenVerb.command],
        requiresSubcommand: false)

    private static let discussion = """
        A valid push gets status 200. Device tokens that begin with these digits get other
        responses:

        \(Scenario.builtIn.description.split(separator: "\n").map { "  " + $0 }
            .joined(separator: "\n"))

        A push is identified by its device token and apns-id. A scenario's answers take precedence:

          built_in: true                  # false: only the answers below
          latency: {p50: 20ms, p99: 1s}
          answers:
            - device_token: "c0ffee"      # prefix of the device token; "" for all
              status: 503
              reason: ServiceUnavailable
              first: 3                    # only the first 3 attempts of a push
            - {topic: com.example.app, from: 10s, until: 30s, share: 50%, status: 429,
               reason: TooManyRequests, retry_after: 2s}
            - {every: 1000, lost: true}   # the connection is cut without a response
          faults:
            - {request: 5000, goaway: {}}
            - {from: 5s, until: 10s, period: 1m, windows: closed}

        The article "Scenarios of the simulator" of the documentation explains all keys.
        --list-scenarios shows the scenarios that are built in.
        """

    private static let endings = Signals.termination + [Signals.reload]
    static let signals = endings + [Signals.release]

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        if parsed.path.count > 1 { return SimulatorTokenVerb.run(parsed) }
        do throws(SimulatorError) {
            if parsed[SimulatorOptions.listScenarios] { return try listScenarios() }
            let options = try SimulatorOptions(parsed)
            let server = SimulatorServer(try options.configuration())
            if let file = options.record { try server.memory?.record(to: file) }
            let pushPort = try choosing("port", "host") { () throws(SimulatorError) in
                try server.start(host: options.host, port: options.port)
            }
            let adminPort = try options.adminPort.map { port throws(SimulatorError) in
                try choosing("admin-port", "admin-host") { () throws(SimulatorError) in
                    try server.startAdministration(
                        host: options.adminHost, port: port, hostNames: options.hostNames,
                        hint: options.hint(port: pushPort))
                }
            }
            Console.output(options.announcement(port: pushPort, adminPort: adminPort))
            for await signal in Signals.received() where endings.contains(signal) { break }
            server.stop()
            return .success
        } catch {
            return error.report()
        }
    }
}

/// Names the option for another port or host when one is not available.
private func choosing<Result>(
    _ port: String, _ host: String, _ body: () throws(SimulatorError) -> Result
) throws(SimulatorError) -> Result {
    do throws(SimulatorError) {
        return try body()
    } catch {
        let option: String
        switch error.code {
        case .addressUnavailable: option = port
        case .hostUnavailable: option = host
        default: throw error
        }
        throw SimulatorError(
            error.code, "\(error.description); choose a different one with --\(option)")
    }
}

extension SimulatorVerb {
    /// Lists the shipped scenarios, one per line.
    private static func listScenarios() throws(SimulatorError) -> ExitCode {
        let entries = try ScenarioLibrary.entries()
        let width = entries.map(\.name.count).max() ?? 0
        for entry in entries {
            let gap = String(repeating: " ", count: width - entry.name.count + 2)
            Console.output(entry.name + gap + entry.summary + "\n")
        }
        return .success
    }
}

extension SimulatorError {
    /// Prints the error, and returns the exit code.
    func report() -> ExitCode {
        Console.error("error: \(description)")
        switch code {
        case .addressUnavailable, .hostUnavailable, .resources: return .unavailable
        case .state, .scenario, .keys: return .configuration
        case .identity: return .software
        }
    }
}
