internal import AdminServer
internal import Configuration
internal import JSON
internal import Telemetry

/// Responds to requests that change something.
struct ControlRoutes<Control: BridgeControl>: Sendable {
    let control: Control
    let logger: Logger

    var routes: [AdminRoute] {
        [
            AdminRoute("POST", "/connectors/{connector}/pause", slow: { await pause($0, true) }),
            AdminRoute("POST", "/connectors/{connector}/resume", slow: { await pause($0, false) }),
            AdminRoute("POST", "/connectors/{connector}/begin", slow: begin),
            AdminRoute(
                "POST", "/connectors/{connector}/apps/{app}/guard/release", slow: releaseGuard),
            AdminRoute("POST", "/connectors/{connector}/clock/release", slow: releaseClock),
            AdminRoute("POST", "/reload", slow: reload),
            AdminRoute("GET", "/log-level") { _ in .text(logger.level.rawValue + "\n") },
            AdminRoute("PUT", "/log-level") { setLogLevel($0) },
        ]
    }

    /// Pauses or resumes a connector.
    func pause(_ request: AdminRequest, _ isPaused: Bool) async -> AdminResponse {
        let connector = request.parameters["connector"] ?? ""
        do throws(ControlFault) {
            try await control.setPaused(isPaused, connector: connector)
            return Self.object { writer in
                writer.name("connector")
                writer.string(connector)
                writer.name("paused")
                writer.boolean(isPaused)
            }
        } catch {
            return error.response
        }
    }

    /// Lets a connector begin whose group is new.
    func begin(_ request: AdminRequest) async -> AdminResponse {
        let connector = request.parameters["connector"] ?? ""
        do throws(ControlFault) {
            try await control.begin(connector: connector)
            return Self.texts([("connector", connector), ("begin", "confirmed")])
        } catch {
            return error.response
        }
    }

    /// Releases the guard of an app.
    func releaseGuard(_ request: AdminRequest) async -> AdminResponse {
        let connector = request.parameters["connector"] ?? ""
        let app = request.parameters["app"] ?? ""
        do throws(ControlFault) {
            try await control.releaseGuard(connector: connector, app: app)
            return Self.texts([
                ("connector", connector), ("app", app), ("guard", "release requested"),
            ])
        } catch {
            return error.response
        }
    }

    /// Has a connector trust the wall clock.
    func releaseClock(_ request: AdminRequest) async -> AdminResponse {
        let connector = request.parameters["connector"] ?? ""
        do throws(ControlFault) {
            try await control.releaseClock(connector: connector)
            return Self.texts([("connector", connector), ("clock", "release requested")])
        } catch {
            return error.response
        }
    }

    /// A JSON object of strings.
    private static func texts(_ members: [(name: String, text: String)]) -> AdminResponse {
        object { writer in
            for member in members {
                writer.name(member.name)
                writer.string(member.text)
            }
        }
    }

    /// Reads the files again.
    func reload(_ request: AdminRequest) async -> AdminResponse {
        logger.info("reload requested")
        let result = await control.reloadOnce()
        switch result {
        case .busy:
            return ControlFault.conflict(
                "a reload is in progress", "send the request again when it has ended"
            ).response
        case .unavailable(let reason, let remedy):
            return ControlFault(status: 503, message: reason, remedy: remedy).response
        case .refused(let diagnostics):
            return ControlFault(
                status: 422, message: "nothing was changed: a file is wrong",
                remedy: "fix what 'problems' names, and reload again"
            ).response(problems: diagnostics)
        case .done(let changes):
            return Self.response(to: changes, isComplete: result.isComplete == true)
        }
    }

    private static func response(
        to changes: [ReloadResult.Change], isComplete: Bool
    ) -> AdminResponse {
        var response = object { writer in
            if !isComplete {
                writer.name("error")
                writer.string("not every connector could be started")
                writer.name("remedy")
                writer.string("fix what 'problems' names, and reload again")
            }
            writer.array("connectors", changes) { $0.write(to: &$1) }
        }
        if !isComplete { response.status = 503 }
        return response
    }

    /// Sets the minimum level of log lines, until the process ends or `log.level` changes.
    func setLogLevel(_ request: AdminRequest) -> AdminResponse {
        guard let level = LogLevel(rawValue: Self.word(in: request.body)) else {
            let levels = LogLevel.allCases.map(\.rawValue)
            let word = Self.word(in: request.body).prefix(64)
            return ControlFault(
                status: 400, message: "'\(word)' is not a log level",
                remedy: ControlFault.unknown("", String(word), levels).remedy
            ).response
        }
        logger.notice("log level set by request", metadata: ["level": .string(level.rawValue)])
        logger.level = level
        return .text(level.rawValue + "\n")
    }

    /// The level in `debug`, `"debug"` or `{"level": "debug"}`.
    private static func word(in body: [UInt8]) -> String {
        var tape = JSONTape()
        if (try? tape.read(body)) != nil {
            let value = tape[0].kind == .object ? tape.member("level", of: 0, in: body) : 0
            if let text = value.flatMap({ tape.text(of: $0, in: body) }) { return text }
        }
        return String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace }
    }

    private static func object(_ body: (inout JSONWriter) -> Void) -> AdminResponse {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return .json(writer.bytes + [UInt8(ascii: "\n")])
    }
}

extension ReloadResult.Change {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("connector")
        writer.string(connector)
        writer.name("change")
        writer.string(kind.rawValue)
        if !problems.isEmpty {
            writer.name("retrying")
            writer.boolean(isRetrying)
            problems.writeProblems(to: &writer)
        }
        writer.endObject()
    }
}

extension ControlFault {
    /// The error as a response.
    var response: AdminResponse { response(problems: []) }

    /// The error as a response, with what is wrong with files.
    func response(problems: [Diagnostic]) -> AdminResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.string(message)
        writer.name("remedy")
        writer.string(remedy)
        if !problems.isEmpty { problems.writeProblems(to: &writer) }
        writer.endObject()
        return .json(writer.bytes + [UInt8(ascii: "\n")], status: status)
    }
}
