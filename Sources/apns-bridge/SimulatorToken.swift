internal import APNsSimulator
internal import Arguments
internal import EventLoop

/// Prints a provider token that a simulator takes.
enum SimulatorTokenVerb {
    static let command = Command(
        "token",
        abstract: "Prints a provider token for curl and h2load; it is good for an hour.",
        examples: [
            "apns-bridge simulator token",
            "curl --http2 --cacert ca.pem -H \"authorization: bearer "
                + "$(apns-bridge simulator token)\" ...",
        ],
        options: [SimulatorOptions.state])

    static func run(_ parsed: ParsedCommand) -> ExitCode {
        do throws(SimulatorError) {
            let folder = try SimulatorOptions.folder(parsed)
            let identity = try SimulatorIdentity.kept(in: folder)
            let seconds = LinuxKernel(capacity: 1).wallClock / 1000
            Console.output(try identity.providerToken(issuedAt: seconds) + [UInt8(ascii: "\n")])
            return .success
        } catch {
            return error.report()
        }
    }
}
