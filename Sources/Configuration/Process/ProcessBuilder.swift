internal import Encoding
internal import YAML

/// Assembles the process settings, and checks combinations of keys.
struct ProcessBuilder {
    let settings: [String: Setting]
    let resolver: ReferenceResolver
    let findings: Findings

    /// The settings; nil when something is missing or wrong. Every problem is reported.
    func build(_ locations: SettingLocations) -> ProcessSettings? {
        var result = ProcessSettings(locations: locations)
        result.logLevel = settings["log.level"]?.text
        result.logFormat = settings["log.format"]?.text
        if case .duration(let interval)? = settings["log.summary"]?.value {
            result.logSummary = interval
        }
        result.admin = admin()
        result.metricLabels = MetricLabels(
            setting: settings["telemetry.labels"], findings: findings
        ).read()
        result.tracing = tracing()
        result.schemaRegistry = RegistryBlock(
            settings: settings, resolver: resolver, findings: findings
        ).read(for: [("format", .avro, isWritten: true)])
        return findings.hasErrors || findings.isIncomplete ? nil : result
    }

    private func tracing() -> TracingSettings? {
        guard let otlp = settings["telemetry.otlp"] else {
            if let sample = settings["telemetry.sample"] {
                findings.error(
                    sample.key, "'sample' is only valid with 'otlp'",
                    "add otlp: http://127.0.0.1:4318\(CollectorURL.path)")
            }
            return nil
        }
        guard let text = otlp.text else { return nil }
        do throws(EndpointText.Failure) {
            var tracing = TracingSettings(url: try CollectorURL.read(text))
            if case .number(let share)? = settings["telemetry.sample"]?.value {
                tracing.sample = share
            }
            return tracing
        } catch {
            findings.error(otlp.node, error.message, error.remedy)
            return nil
        }
    }

    private func admin() -> AdminEndpointSettings? {
        guard let listen = settings["admin.listen"], let text = listen.text else { return nil }
        var hostNames: [String] = []
        if case .texts(let texts)? = settings["admin.host_names"]?.value {
            hostNames = texts.map(\.text)
        }
        let token = settings["admin.token_file"].flatMap(token)
        if text.hasPrefix(Self.socketPrefix) {
            guard let path = socketPath(text, listen) else { return nil }
            var admin = AdminEndpointSettings(host: "", port: 0, hostNames: hostNames, token: token)
            admin.socketPath = path
            admin.protectsMetrics = protectsMetrics()
            return admin
        }
        guard let (host, port) = Self.address(text) else {
            findings.error(
                listen.node, "'\(text)' is not an address and a port",
                "write listen: 127.0.0.1:8080, [::1]:8080, or unix:/run/apns-bridge/admin.sock")
            return nil
        }
        if settings["admin.token_file"] == nil, !Loopback.contains(host) {
            findings.error(
                listen.node, "other machines can connect to \(text), and there is no 'token_file'",
                "write token_file: with a file that holds a token, or listen: 127.0.0.1:\(port)")
        }
        var admin = AdminEndpointSettings(
            host: host, port: port, hostNames: hostNames, token: token)
        admin.protectsMetrics = protectsMetrics()
        return admin
    }

    private func protectsMetrics() -> Bool {
        guard let setting = settings["admin.metrics_token"],
            case .boolean(let isProtected) = setting.value
        else { return false }
        if isProtected, settings["admin.token_file"] == nil {
            findings.error(
                setting.node, "'metrics_token' is only valid with 'token_file'",
                "write token_file: with a file that holds a token")
        }
        return isProtected
    }

    private static let socketPrefix = "unix:"
    /// The longest path of a socket on Linux, in bytes.
    private static let maxSocketPath = 107

    /// The path of `unix:PATH`, which starts at the folder of the file.
    private func socketPath(_ text: String, _ listen: Setting) -> String? {
        let name = String(text.dropFirst(Self.socketPrefix.count))
        let path = FilePath.resolve(name, in: resolver.folder)
        guard !name.isEmpty, path.utf8.count <= Self.maxSocketPath else {
            findings.error(
                listen.node,
                name.isEmpty
                    ? "'\(text)' names no socket"
                    : "the path of a socket has at most \(Self.maxSocketPath) bytes",
                "write listen: unix:/run/apns-bridge/admin.sock")
            return nil
        }
        return path
    }

    /// The host and port of `HOST:PORT`; an IPv6 address is in brackets.
    static func address(_ text: String) -> (host: String, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        return host.isEmpty ? nil : (String(host), port)
    }

    /// A shorter token can be guessed.
    private static let minTokenLength = 16

    private func token(_ setting: Setting) -> [UInt8]? {
        guard let text = setting.text else { return nil }
        let path = FilePath.resolve(text, in: resolver.folder)
        do {
            let bytes = try InputFile.read(path: path, limit: 4096)
            if InputFile.isOpenToOthers(path) {
                findings.error(
                    setting.node, "other users can read '\(text)'", "run: chmod 600 \(path)")
                return nil
            }
            if InputFile.isWritableByOthers(path) {
                findings.error(
                    setting.node, "other users can write to '\(text)'", "run: chmod 600 \(path)")
                return nil
            }
            let token = bytes.trimmed
            if token.isEmpty || !token.allSatisfy({ (0x21...0x7E).contains($0) }) {
                findings.error(
                    setting.node, "'\(text)' does not hold a token",
                    "write one line of printable ASCII into it: openssl rand -hex 32")
                return nil
            }
            if token.count < Self.minTokenLength {
                findings.error(
                    setting.node,
                    "the token in '\(text)' has \(token.count) bytes, fewer than"
                        + " \(Self.minTokenLength)",
                    "write a longer one into it: openssl rand -hex 32")
                return nil
            }
            return token
        } catch {
            findings.addUnreadable("token_file", setting, error, resolver)
            return nil
        }
    }
}

extension [UInt8] {
    /// The bytes without leading and trailing spaces and line breaks.
    fileprivate var trimmed: [UInt8] {
        [UInt8](trimming { $0 == 0x20 || (0x09...0x0D).contains($0) })
    }
}
