internal import APNsSimulator
internal import Arguments
internal import EventLoop

/// Prints a provider token that a simulator accepts.
enum SimulatorTokenVerb {
    static let command = Command(
        "token",
        abstract: "Prints a provider token for curl or h2load; it is valid for one hour.",
        examples: [
            "apns-bridge simulator token",
            "curl --http2 --cacert ca.pem -H \"authorization: bearer "
                + "$(apns-bridge simulator token)\" ...",
        ],
        options: [SimulatorOptions.state, SimulatorOptions.keys, keyID])

    private static let keyID = Option<String?>(
        "key-id", valueName: "ID",
        help: "ID of the key in --keys that signs it. (default: the simulator's own key)")

    static func run(_ parsed: ParsedCommand) -> ExitCode {
        do throws(SimulatorError) {
            let seconds = WallClock.milliseconds / 1000
            if let keyID = parsed[keyID], keyID != SimulatorIdentity.defaultKeyID {
                let file = try keyFile(parsed, keyID)
                let token = try file.providerToken(keyID: keyID, issuedAt: seconds)
                Console.output(token + [UInt8(ascii: "\n")])
                return .success
            }
            let folder = try SimulatorOptions.folder(parsed)
            let identity = try SimulatorIdentity.kept(in: folder)
            Console.output(try identity.providerToken(issuedAt: seconds) + [UInt8(ascii: "\n")])
            return .success
        } catch {
            return error.report()
        }
    }

    private static func keyFile(
        _ parsed: ParsedCommand, _ keyID: String
    ) throws(SimulatorError) -> ProviderKeyFile {
        guard let path = parsed[SimulatorOptions.keys] else {
            throw SimulatorError(
                .keys,
                "the simulator's own key is '\(SimulatorIdentity.defaultKeyID)'; "
                    + "pass --keys FILE to sign with '\(keyID)'")
        }
        return try ProviderKeyFile.load(path: path)
    }
}
