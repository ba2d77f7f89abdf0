import AdminServer
import Foundation
import Synchronization
import Testing

/// A collector of traces that checks what it receives against OTLP's schema.
final class Collector: Sendable {
    /// What it has received: the status that it responded with, and the spans.
    struct Request: Sendable {
        var status: Int
        var spans: [[String: String]]
        var faults: [String]
        var contentType: String?

        init(_ response: Response) {
            status = response.status
            contentType = response.request.headers["content-type"]
            var checked = ExportSchema(response.request.body)
            checked.check()
            spans = checked.spans
            faults = checked.faults
        }
    }

    /// A request that it has responded to. It is checked later: the exporter waits for a response.
    struct Response: Sendable {
        var status: Int
        var request: AdminRequest
    }

    private let statuses: Mutex<[Int]>
    private let headers: [String: String]
    private let stream: AsyncStream<Response>
    private let continuation: AsyncStream<Response>.Continuation
    private let server = Mutex<AdminServer?>(nil)

    /// Starts a collector that responds with these statuses, one after the other, and then
    /// with 200.
    init(statuses: [Int] = [], headers: [String: String] = [:]) {
        self.statuses = Mutex(statuses)
        self.headers = headers
        (stream, continuation) = AsyncStream.makeStream(of: Response.self)
    }

    deinit { server.withLock { $0?.stop() } }

    /// Listens, and returns the URL for spans.
    func start() throws -> String {
        var settings = AdminSettings()
        settings.bodyLimit = 16 << 20
        let route = AdminRoute("POST", "/v1/traces", isOpen: true) { [weak self] request in
            self?.respond(to: request) ?? AdminResponse(status: 500)
        }
        let server = AdminServer(settings: settings, routes: [route])
        let port = try server.start()
        self.server.withLock { $0 = server }
        return "http://127.0.0.1:\(port)/v1/traces"
    }

    private func respond(to request: AdminRequest) -> AdminResponse {
        let status = statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
        continuation.yield(Response(status: status, request: request))
        return AdminResponse(
            status: status, headers: status == 200 ? [:] : headers, body: Array("{}".utf8))
    }

    /// The next requests, until `isEnough` of all of them.
    func requests(until isEnough: ([Request]) -> Bool) async -> [Request] {
        var found: [Request] = []
        for await response in stream {
            found.append(Request(response))
            if isEnough(found) { break }
        }
        return found
    }
}

/// The schema of an `ExportTraceServiceRequest` in OTLP's JSON, as far as exporters must keep it.
///
/// Source: opentelemetry-proto 1, `trace.proto`, and *OTLP Specification*, JSON Protobuf Encoding.
struct ExportSchema {
    private let body: [UInt8]
    private(set) var faults: [String] = []
    /// The spans: IDs, name and kind, and each attribute under its name.
    private(set) var spans: [[String: String]] = []

    init(_ body: [UInt8]) { self.body = body }

    mutating func check() {
        guard let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        else { return faults.append("not a JSON object") }
        require(root, only: ["resourceSpans"], "request")
        for resource in list(root, "resourceSpans") {
            require(resource, only: ["resource", "scopeSpans", "schemaUrl"], "resourceSpans")
            let attributes = attributes(of: resource["resource"] as? [String: Any] ?? [:])
            if attributes["service.name"] == nil { faults.append("no service.name") }
            for scope in list(resource, "scopeSpans") {
                require(scope, only: ["scope", "spans", "schemaUrl"], "scopeSpans")
                for span in list(scope, "spans") { check(span) }
            }
        }
    }

    private mutating func check(_ span: [String: Any]) {
        require(
            span,
            only: [
                "traceId", "spanId", "traceState", "parentSpanId", "name", "kind",
                "startTimeUnixNano", "endTimeUnixNano", "attributes", "status", "events", "links",
                "flags",
            ], "span")
        checkID(span["traceId"], 32)
        checkID(span["spanId"], 16)
        if let parent = span["parentSpanId"] { checkID(parent, 16) }
        if (span["name"] as? String ?? "").isEmpty { faults.append("no name") }
        if !(1...5).contains(span["kind"] as? Int ?? 0) { faults.append("no kind") }
        let times = ["startTimeUnixNano", "endTimeUnixNano"].map {
            (span[$0] as? String).flatMap { UInt64($0) } ?? 0
        }
        if times[0] == 0 || times[1] < times[0] { faults.append("times: \(times)") }
        let status = span["status"] as? [String: Any] ?? [:]
        require(status, only: ["message", "code"], "status")
        if !(0...2).contains(status["code"] as? Int ?? 0) { faults.append("code of a status") }
        var found = attributes(of: span)
        for name in ["traceId", "spanId", "parentSpanId", "name"] {
            found[name] = span[name] as? String
        }
        found["kind"] = (span["kind"] as? Int).map(String.init)
        found["code"] = (status["code"] as? Int).map(String.init)
        spans.append(found)
    }

    private mutating func attributes(of object: [String: Any]) -> [String: String] {
        var found: [String: String] = [:]
        for attribute in list(object, "attributes") {
            guard let key = attribute["key"] as? String, found[key] == nil,
                let value = attribute["value"] as? [String: Any], value.count == 1
            else {
                faults.append("attribute \(attribute)")
                continue
            }
            let text = value["stringValue"] as? String
            let number = (value["intValue"] as? String).flatMap { Int64($0) }
            if text == nil, number == nil { faults.append("value of \(key): \(value)") }
            found[key] = text ?? number.map { String($0) }
        }
        return found
    }

    private mutating func list(_ object: [String: Any], _ name: String) -> [[String: Any]] {
        guard let list = object[name] as? [[String: Any]] else {
            faults.append("\(name) is not a list of objects")
            return []
        }
        return list
    }

    private mutating func require(_ object: [String: Any], only names: Set<String>, _ what: String)
    {
        let unknown = Set(object.keys).subtracting(names)
        if !unknown.isEmpty { faults.append("\(what) has \(unknown.sorted())") }
    }

    private mutating func checkID(_ value: Any?, _ length: Int) {
        let text = value as? String ?? ""
        let isHex = text.allSatisfy { "0123456789abcdef".contains($0) }
        if text.count != length || !isHex || !text.contains(where: { $0 != "0" }) {
            faults.append("ID '\(text)'")
        }
    }
}
