internal import APNsSimulator
internal import Arguments
internal import EventLoop
internal import FoundationEssentials

/// The command-line options of a simulator.
struct SimulatorOptions {
    static let host = Option<String>(
        "host", default: "127.0.0.1", valueName: "ADDRESS",
        help: "Address to listen on; 0.0.0.0 or :: for all interfaces.")
    static let port = Option<PortNumber>(
        "port", default: PortNumber(number: 2197), valueName: "NUMBER",
        help: "Port to listen on; 0 picks a free one.")
    static let hostNames = Option<[String]>(
        "host-name", valueName: "NAME",
        help: "Additional host name for the certificate, besides localhost, 127.0.0.1 and ::1.")
    static let state = Option<String?>(
        "state", valueName: "DIR", completion: .directory,
        help: "Folder for certificates and keys. (default: "
            + "${XDG_STATE_HOME:-~/.local/state}/apns-bridge/simulator)")
    static let keys = Option<String?>(
        "keys", valueName: "FILE", completion: .file,
        help: "YAML file of provider keys to accept besides the simulator's own.")
    static let responses = Option<String?>(
        "answers", valueName: "FILE", completion: .file,
        help: "Same as --scenario, for a file that holds only answers.")
    static let scenario = Option<String?>(
        "scenario", valueName: "NAME|FILE", completion: .file,
        help: "Scripted answers and faults: a built-in scenario or a YAML file.")
    static let strings = Option<String?>(
        "strings", valueName: "FILE", completion: .file,
        help: "Localizable.strings of your app, to show the texts of loc-key.")
    static let listScenarios = Flag(
        "list-scenarios", help: "List the built-in scenarios and exit.")
    static let development = Flag(
        "development", help: "Behave like Apple's development environment: send apns-unique-id.")
    static let managesDevices = Flag(
        "mdm", help: "Add the push certificate of a device management server: mdm.p12.")
    static let hasPass = Flag(
        "pass", help: "Add the certificate of a pass type in Wallet: pass.p12.")

    static let adminHost = Option<String>(
        "admin-host", default: "127.0.0.1", valueName: "ADDRESS",
        help: "Address for the page and the HTTP API.")
    static let adminPort = Option<PortNumber>(
        "admin-port", default: PortNumber(number: 2198), valueName: "NUMBER",
        help: "Port for the page and the HTTP API; 0 picks a free one.")
    static let noAdmin = Flag(
        "no-admin", help: "Disable the page and the HTTP API, and record nothing for them.")
    static let record = Option<String?>(
        "record", valueName: "FILE", completion: .file,
        help: "Append every request and everything shown to this file, as JSON lines.")

    let host: String
    let port: UInt16
    let adminHost: String
    /// Nil when there is no admin port.
    let adminPort: UInt16?
    let record: String?
    let hostNames: [String]
    private let folder: String
    private let keys: String?
    private let scenario: String?
    private let strings: String?
    private let isDevelopment: Bool
    private let further: Set<FurtherCertificate>

    init(_ parsed: ParsedCommand) throws(SimulatorError) {
        host = parsed[Self.host]
        port = parsed[Self.port].number
        adminHost = parsed[Self.adminHost]
        adminPort = parsed[Self.noAdmin] ? nil : parsed[Self.adminPort].number
        record = parsed[Self.record]
        hostNames = parsed[Self.hostNames]
        folder = try Self.folder(parsed)
        keys = parsed[Self.keys]
        scenario = parsed[Self.scenario] ?? parsed[Self.responses]
        strings = parsed[Self.strings]
        isDevelopment = parsed[Self.development]
        let asked = [
            FurtherCertificate.management: parsed[Self.managesDevices],
            .pass: parsed[Self.hasPass],
        ]
        further = Set(asked.filter(\.value).keys)
    }

    /// The state folder, as an absolute path.
    static func folder(_ parsed: ParsedCommand) throws(SimulatorError) -> String {
        try folder(parsed[state])
    }

    /// The state folder with a path, or the default one, as an absolute path.
    static func folder(_ path: String?) throws(SimulatorError) -> String {
        if let path {
            let current = FileManager.default.currentDirectoryPath
            return path.hasPrefix("/") ? path : current + "/" + path
        }
        let variables = ProcessEnvironment.variables
        if let base = variables["XDG_STATE_HOME"], base.hasPrefix("/") {
            return base + "/apns-bridge/simulator"
        }
        guard let home = variables["HOME"], home.hasPrefix("/") else {
            throw SimulatorError(
                .state,
                "HOME is not set, so there is no default folder for the simulator's keys; pass"
                    + " --state DIR"
            )
        }
        return home + "/.local/state/apns-bridge/simulator"
    }

    func configuration() throws(SimulatorError) -> SimulatorConfiguration {
        let scenario = try scenario.map { text throws(SimulatorError) in try Scenario.find(text) }
        var configuration = SimulatorConfiguration(
            identity: try SimulatorIdentity.kept(
                in: folder, hostNames: hostNames, further: further),
            scenario: scenario ?? .builtIn)
        configuration.isDevelopment = isDevelopment
        if let keys { configuration.furtherKeys = try ProviderKeyFile.load(path: keys).keys }
        if let strings { configuration.strings = try LocalizedStrings.load(path: strings) }
        if adminPort == nil, record == nil { configuration.memory = nil }
        return configuration
    }

    /// The startup message, with lines to paste into a connector file.
    func announcement(port: UInt16, adminPort: UInt16?) -> String {
        let name = hostNames.first ?? "localhost"
        var phones = ""
        if let adminPort {
            let isEverywhere = ["0.0.0.0", "::"].contains(adminHost)
            let address = Self.address(isEverywhere ? "localhost" : adminHost, adminPort)
            phones = "\n# Device page: http://\(address)/"
        }
        return """
            # The APNs simulator is ready on \(Self.address(host, port)).\(phones)
            apns:
              endpoint: https://\(name):\(port)
              ca_file: \(folder)/\(SimulatorIdentity.authorityFile)
              key: "${file:\(folder)/\(SimulatorIdentity.authenticationKeyFile)}"
              key_id: \(SimulatorIdentity.defaultKeyID)
              team_id: \(SimulatorIdentity.defaultTeamID)
              bundle_id: \(SimulatorIdentity.defaultBundleID)
              # Or instead of key, key_id and team_id:
              # certificate: \(folder)/\(SimulatorIdentity.clientFile)
              # passphrase: \(SimulatorIdentity.certificatePassphrase)
            \(FurtherCertificate.allCases.filter(further.contains).map(lines).joined())
            """
    }

    /// Lines to paste into a connector file for another topic.
    private func lines(for certificate: FurtherCertificate) -> String {
        """
          # Or for \(certificate.topic), in place of all of these but endpoint and ca_file:
          # certificate: \(folder)/\(certificate.file)
          # passphrase: \(SimulatorIdentity.certificatePassphrase)

        """
    }

    /// A command line that pushes to a device, shown on the page when there are no devices.
    func hint(port: UInt16) -> String {
        let name = hostNames.first ?? "localhost"
        return """
            curl --http2 --cacert \(Self.quoted(folder + "/" + SimulatorIdentity.authorityFile)) \\
              https://\(name):\(port)/3/device/$(openssl rand -hex 32) \\
              -H "authorization: bearer $(apns-bridge simulator token --state \
            \(Self.quoted(folder)))" \\
              -H "apns-topic: \(SimulatorIdentity.defaultBundleID)" \\
              -d '{"aps":{"alert":{"title":"Hello","body":"from curl"}}}'
            """
    }

    /// A path quoted for a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: [UInt8]("/._-+".utf8).contains(byte)
            }
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }

    /// An address and a port as in a URL.
    private static func address(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
