internal import AdminServer
internal import EventLoop
internal import JSON
internal import Telemetry

/// Responds to requests of the simulator's admin endpoint.
struct AdministrationRoutes: Sendable {
    let memory: SimulatorMemory
    let counters: SimulatorCounters
    let channels: Channels
    /// The command line shown on the page when there are no devices; nil for the default.
    let hint: String?
    /// Reads a scenario and applies it from then on.
    let follow: @Sendable ([UInt8]) throws(SimulatorError) -> Void
    /// The scenario that the simulator follows; nil when it does not run.
    let scenarioState: @Sendable () -> ScenarioState?
    /// Distinguishes this run from an earlier one with the same revisions.
    private let run = WallClock.milliseconds

    init(
        memory: SimulatorMemory, counters: SimulatorCounters, channels: Channels,
        hint: String? = nil,
        follow: @escaping @Sendable ([UInt8]) throws(SimulatorError) -> Void,
        scenarioState: @escaping @Sendable () -> ScenarioState?
    ) {
        self.scenarioState = scenarioState
        self.memory = memory
        self.counters = counters
        self.channels = channels
        self.hint = hint
        self.follow = follow
    }

    var routes: [AdminRoute] {
        let page = PhonePage.response(hint: hint)
        return [
            AdminRoute("GET", "/") { _ in page },
            AdminRoute("GET", "/health") { _ in Self.done },
            AdminRoute("GET", "/requests", handler: requests),
            AdminRoute("GET", "/devices", handler: devices),
            AdminRoute("GET", "/devices/{token}", handler: device),
            AdminRoute("POST", "/devices/{token}", handler: change),
            AdminRoute("GET", "/channels", handler: listChannels),
            AdminRoute("GET", "/metrics") { _ in metrics },
            AdminRoute("GET", "/devices/{token}/screen.svg", handler: picture),
            AdminRoute("GET", "/scenario") { _ in currentScenario },
            AdminRoute("POST", "/scenario", handler: scenario),
            AdminRoute("DELETE", "/") { _ in
                memory.beginAnew()
                return Self.done
            },
        ]
    }

    private static let done = AdminResponse.json([UInt8]("{\"status\":\"ok\"}\n".utf8))

    private func requests(_ request: AdminRequest) -> AdminResponse {
        var filter = RequestFilter()
        filter.token = request.query["token"]
        filter.app = request.query["app"]
        filter.reason = request.query["reason"]
        do throws(AdministrationFault) {
            try check(request, allowed: ["token", "app", "reason", "status", "limit"])
            filter.status = try number("status", of: request, in: 0...599)
            filter.limit = try number("limit", of: request, in: 0...100_000) ?? filter.limit
        } catch {
            return error.response
        }
        let (requests, total) = memory.requests(matching: filter)
        return Self.object { writer in
            writer.member("total", Int64(total))
            writer.name(ascii: "requests")
            writer.beginArray()
            for request in requests {
                writer.beginObject()
                writer.members(of: request)
                writer.endObject()
            }
            writer.endArray()
        }
    }

    private func devices(_ request: AdminRequest) -> AdminResponse {
        let limit: Int
        do throws(AdministrationFault) {
            try check(request, allowed: ["limit"])
            limit = try number("limit", of: request, in: 0...100_000) ?? 200
        } catch {
            return error.response
        }
        let now = memory.now
        let revision = memory.revision(at: now)
        let tag = "\"\(run)-\(revision)\""
        if request.headers["if-none-match"] == tag {
            return AdminResponse(status: 304, headers: ["etag": tag])
        }
        let list = memory.devices(limit, at: now)
        var response = Self.object { writer in
            writer.member("total", Int64(list.count))
            writer.member("forgotten", Int64(list.forgotten))
            writer.name(ascii: "answers")
            writer.beginArray()
            for row in memory.reasons {
                writer.beginObject()
                writer.member("status", Int64(row.status))
                writer.member("reason", row.reason)
                writer.member("count", Int64(row.count))
                writer.endObject()
            }
            writer.endArray()
            writer.name(ascii: "devices")
            writer.beginArray()
            for device in list.devices {
                writer.beginObject()
                writer.members(of: device, at: now)
                writer.endObject()
            }
            writer.endArray()
        }
        response.headers["etag"] = "\"\(run)-\(list.revision)\""
        return response
    }

    private func device(_ request: AdminRequest) -> AdminResponse {
        let token = request.parameters["token"] ?? ""
        do throws(DeviceFault) {
            let now = memory.now
            let device = try memory.phone(token, at: now)
            return Self.object { writer in
                writer.members(of: device, at: now)
                writer.pushes(of: device)
            }
        } catch {
            return AdministrationFault(error).response
        }
    }

    private func change(_ request: AdminRequest) -> AdminResponse {
        let order: DeviceOrder
        do throws(AdministrationFault) {
            order = try DeviceOrder(json: request.body)
        } catch {
            return error.response
        }
        do throws(DeviceFault) {
            let token = request.parameters["token"] ?? ""
            let now = memory.now
            try memory.apply(order, token: token, at: now)
            let device = try memory.phone(token, at: now)
            return Self.object { $0.members(of: device, at: now) }
        } catch {
            return AdministrationFault(error).response
        }
    }

    private var metrics: AdminResponse {
        .text(
            MetricsPage(memory: memory, snapshot: counters.snapshot).text,
            type: PrometheusText.Format.plain.contentType)
    }

    private func picture(_ request: AdminRequest) -> AdminResponse {
        let token = request.parameters["token"] ?? ""
        do throws(DeviceFault) {
            let now = memory.now
            let device = try memory.phone(token, at: now)
            var response = AdminResponse.text(
                DevicePicture(device, at: now).svg, type: "image/svg+xml; charset=utf-8")
            response.headers["content-disposition"] =
                "attachment; filename=\"phone-\(device.token.prefix(8)).svg\""
            return response
        } catch {
            return AdministrationFault(error).response
        }
    }

    private var currentScenario: AdminResponse {
        guard let state = scenarioState() else {
            return AdministrationFault(503, "the simulator does not run", "start it").response
        }
        return Self.object { state.write(to: &$0) }
    }

    private func scenario(_ request: AdminRequest) -> AdminResponse {
        do throws(SimulatorError) {
            try follow(request.body)
            return Self.done
        } catch {
            return AdministrationFault(400, error.description, "fix it and send it again").response
        }
    }

    func check(
        _ request: AdminRequest, allowed: [String]
    ) throws(AdministrationFault) {
        for name in request.query.keys.sorted() where !allowed.contains(name) {
            throw AdministrationFault(
                400, "unknown filter '\(name)'",
                "valid filters: \(allowed.joined(separator: ", "))")
        }
    }

    func number(
        _ name: String, of request: AdminRequest, in range: ClosedRange<Int>
    ) throws(AdministrationFault) -> Int? {
        guard let text = request.query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw AdministrationFault(
                400, "'\(name)' is not a valid number: '\(text)'",
                "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func object(_ body: (inout JSONWriter) -> Void) -> AdminResponse {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return .json(writer.bytes + [UInt8(ascii: "\n")])
    }
}
