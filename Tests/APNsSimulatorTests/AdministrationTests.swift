import HTTP2
import JSON
import Testing

@testable import APNsSimulator
@testable import AdminServer

@Suite struct `The administration of the simulator` {
    static let token = DeviceHarness.token

    @Test(arguments: [
        ("", "the body is not valid JSON"), ("7", "the body is not a JSON object"),
        ("{}", "the body is an empty object"),
        (#"{"online":true,"register":true}"#, "the body has more than one member"),
        (#"{"online":"yes"}"#, "'online' has a value of the wrong type"),
        (#"{"unregister":false}"#, "'unregister' has a value of the wrong type"),
        (#"{"offline":true}"#, "unknown member 'offline'"),
        (#"{"change_to":"abc"}"#, "not a device token"),
    ])
    func `responds to an impossible request with what to send`(body: String, error: String) throws {
        let world = try AdministrationWorld()
        let response = world.ask("POST", "/devices/\(Self.token)", body: body)
        #expect(response.status == 400)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains(#""error":"\#(error)"#), "\(text)")
        #expect(text.contains(#""remedy":""#))
    }

    @Test func `rejects an invalid device token`() throws {
        let world = try AdministrationWorld()
        #expect(world.ask("GET", "/devices/nonsense").status == 400)
        #expect(world.ask("POST", "/devices/xyz", body: #"{"online":true}"#).status == 400)
    }

    @Test func `shows an empty screen for a device without pushes`() throws {
        let world = try AdministrationWorld()
        let empty = """
            {"token":"\(Self.token)","online":true,"registered":true,"received":0,"badges":{},\
            "lock_screen":[],"live_activities":[],"channels":[],"stored":0,"pushes":[]}

            """
        #expect(world.text("GET", "/devices/\(Self.token.uppercased())") == empty)
        let response = world.text("POST", "/devices/\(Self.token)", body: #"{"online":true}"#)
        #expect(response.hasPrefix(#"{"token":"\#(Self.token)","online":true,"#))
        #expect(world.text("GET", "/devices").contains(#""devices":[]"#), "no device was created")
    }

    @Test func `responds to an unknown filter with the known ones`() throws {
        let world = try AdministrationWorld()
        let text = world.text("GET", "/requests", ["tokn": "ab"])
        #expect(text.contains("unknown filter 'tokn'"))
        #expect(text.contains("token, app, reason, status, limit"))
        #expect(world.ask("GET", "/requests", ["limit": "many"]).status == 400)
        #expect(world.ask("GET", "/devices", ["limit": "-1"]).status == 400)
    }

    @Test func `never shows a whole provider token`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        let text = world.text("GET", "/requests")
        let bearer = String(decoding: world.client.bearer, as: UTF8.self)
        #expect(!text.contains(bearer.split(separator: ".").last ?? ""))
        #expect(text.contains(#""name":"authorization","value":"bearer "#))
        #expect(text.contains(#""provider_token":{"kid":"\#(SimulatorIdentity.defaultKeyID)""#))
    }

    @Test(arguments: ["", "bearer", "bearer x", "Basic dXNlcjpwYXNzd29yZA=="])
    func `never shows a credential of another kind`(value: String) {
        let shown = CredentialText.redacted([UInt8](value.utf8))
        #expect(shown.hasSuffix("bytes)"))
        #expect(!shown.contains("x…") && !shown.contains("dXNl"))
    }

    @Test func `lists requests with their responses, newest first`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        try world.push(title: "B", to: "dead" + String(repeating: "0", count: 60))
        let tape = try Response(world.text("GET", "/requests"))
        #expect(tape["total"] == "2")
        #expect(tape["requests", "0", "status"] == "410")
        #expect(tape["requests", "0", "reason"] == "Unregistered")
        #expect(tape["requests", "1", "status"] == "200")
        #expect(tape["requests", "1", "reason"] == "null")
        #expect(tape["requests", "1", "payload", "aps", "alert", "title"] == "A")
        #expect(tape["requests", "1", "headers", "0", "name"] == ":method")
    }

    @Test(arguments: [
        (["token": "DEAD"], 1), (["token": "ab"], 2), (["app": "com.example.app"], 2),
        (["app": "com.example.pay"], 1), (["reason": "Unregistered"], 1), (["status": "200"], 2),
        (["token": "ab", "app": "com.example.pay"], 1), (["limit": "1"], 1), (["status": "0"], 0),
    ])
    func `lists only the requests that match a filter`(filter: [String: String], count: Int) throws
    {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        try world.push(title: "B", app: "com.example.pay")
        try world.push(title: "C", to: "dead" + String(repeating: "0", count: 60))
        let tape = try Response(world.text("GET", "/requests", filter))
        #expect(tape.count("requests") == count)
    }

    @Test func `shows a body that is not JSON as text`() throws {
        var world = try AdministrationWorld()
        var request = world.client.request()
        request.body = [UInt8](#"<not "json">"#.utf8)
        _ = try world.client.push(request)
        let tape = try Response(world.text("GET", "/requests"))
        #expect(tape["requests", "0", "reason"] == "PayloadEmpty")
        #expect(tape["requests", "0", "payload"] == "null")
        #expect(tape["requests", "0", "body"] == #"<not "json">"#)
    }

    @Test func `shows what a device shows and what became of each push`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        let response = world.ask("POST", "/devices/\(Self.token)", body: #"{"online":false}"#)
        #expect(response.status == 200)
        try world.push(title: "B")
        try world.push(title: "C")
        var tape = try Response(world.text("GET", "/devices/\(Self.token.uppercased())"))
        #expect(tape["online"] == "false")
        #expect(tape["stored"] == "1")
        #expect(tape["lock_screen", "0", "title"] == "A")
        #expect(tape["pushes", "0", "fate"] == "stored")
        #expect(tape["pushes", "1", "fate"] == "replaced")
        tape = try Response(world.text("POST", "/devices/\(Self.token)", body: #"{"online":true}"#))
        #expect(tape["lock_screen", "0", "title"] == "C")
        #expect(tape["lock_screen", "1", "title"] == "A")
    }

    @Test func `unregisters a device, so that its next push gets 410`() throws {
        var world = try AdministrationWorld()
        #expect(try world.push(title: "A") == "200")
        _ = world.ask("POST", "/devices/\(Self.token)", body: #"{"unregister":true}"#)
        #expect(try world.push(title: "B").hasPrefix(#"410 {"reason":"Unregistered","timestamp":"#))
        _ = world.ask("POST", "/devices/\(Self.token)", body: #"{"register":true}"#)
        #expect(try world.push(title: "C") == "200")
    }

    @Test func `changes a token, so that the old one gets 410`() throws {
        var world = try AdministrationWorld()
        let other = String(repeating: "cd", count: 32)
        let response = world.ask(
            "POST", "/devices/\(Self.token)", body: #"{"change_to":"\#(other)"}"#)
        #expect(response.status == 200)
        #expect(try world.push(title: "A").hasPrefix(#"410 {"reason":"ExpiredToken","timestamp":"#))
        #expect(try world.push(title: "B", to: other) == "200")
        let tape = try Response(world.text("GET", "/devices/\(Self.token)"))
        #expect(tape["changed_to"] == other)
    }

    @Test func `reports that nothing has changed instead of repeating it`() throws {
        var world = try AdministrationWorld()
        let tag = try #require(world.ask("GET", "/devices").headers["etag"])
        #expect(world.ask("GET", "/devices", headers: ["if-none-match": tag]).status == 304)
        try world.push(title: "A")
        let response = world.ask("GET", "/devices", headers: ["if-none-match": tag])
        #expect(response.status == 200)
        #expect(response.headers["etag"] != tag)
    }

    @Test func `forgets everything on request`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        _ = world.ask("POST", "/devices/\(Self.token)", body: #"{"unregister":true}"#)
        let tag = world.ask("GET", "/devices").headers["etag"]
        #expect(world.ask("DELETE", "/").status == 200)
        #expect(try Response(world.text("GET", "/requests"))["total"] == "0")
        let response = world.ask("GET", "/devices")
        #expect(try Response(String(decoding: response.body, as: UTF8.self)).count("devices") == 0)
        #expect(response.headers["etag"] != tag)
        #expect(try world.push(title: "B") == "200")
    }

    @Test func `counts attempts from one after a reset`() throws {
        var world = try AdministrationWorld()
        let token = "5030" + String(repeating: "0", count: 60)
        for _ in 1...2 { #expect(try world.push(title: "A", to: token).hasPrefix("503")) }
        #expect(try world.push(title: "A", to: token) == "200")
        _ = world.ask("DELETE", "/")
        #expect(try world.push(title: "A", to: token).hasPrefix("503"))
    }

    @Test func `applies a new scenario at once`() throws {
        var world = try AdministrationWorld()
        let script = "answers: [{device_token: \"\", status: 503, reason: ServiceUnavailable}]"
        #expect(world.ask("POST", "/scenario", body: script).status == 200)
        #expect(try world.push(title: "A").hasPrefix("503"))
        let refusal = world.ask("POST", "/scenario", body: "answer: []")
        #expect(refusal.status == 400)
        #expect(String(decoding: refusal.body, as: UTF8.self).contains("body:1:1"))
    }

    @Test func `serves metrics in the Prometheus format`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        try world.push(title: "B", to: "dead" + String(repeating: "0", count: 60))
        let text = world.text("GET", "/metrics")
        for line in [
            #"apns_simulator_requests_total{status="200",reason=""} 1"#,
            #"apns_simulator_requests_total{status="410",reason="Unregistered"} 1"#,
            "apns_simulator_connections 1", "apns_simulator_devices 1",
        ] {
            #expect(text.contains(line + "\n"), "\(text)")
        }
    }

    @Test func `shows nothing if it remembers nothing`() throws {
        var world = try AdministrationWorld { $0.memory = nil }
        #expect(try world.push(title: "A") == "200")
        #expect(try Response(world.text("GET", "/requests"))["total"] == "0")
    }

    @Test func `serves a page that runs only its own script`() throws {
        let world = try AdministrationWorld()
        let response = world.ask("GET", "/")
        let policy = response.headers["content-security-policy"] ?? ""
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(page.hasPrefix("<!doctype html>"))
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "src="] {
            #expect(!page.contains(word), "the page has \(word)")
        }
    }
}

/// The values of a JSON text by their paths.
struct Response: ~Copyable {
    private var tape = JSONTape()
    private let text: [UInt8]

    init(_ text: String) throws {
        self.text = [UInt8](text.utf8)
        try tape.read(self.text)
    }

    /// The value at a path, strings without quotation marks; empty when there is none.
    subscript(_ path: String...) -> String {
        guard let node = find(path) else { return "" }
        if let string = tape.text(of: node, in: text) { return string }
        return String(decoding: text[Int(tape[node].start)..<Int(tape[node].end)], as: UTF8.self)
    }

    /// How many elements an array has.
    func count(_ path: String...) -> Int {
        guard let node = find(path) else { return -1 }
        var (child, end) = tape.children(of: node)
        var count = 0
        while child < end {
            count += 1
            child = tape.next(after: child)
        }
        return count
    }

    private func find(_ path: [String]) -> Int? {
        var node = 0
        for step in path {
            if let number = Int(step) {
                var (child, end) = tape.children(of: node)
                for _ in 0..<number where child < end { child = tape.next(after: child) }
                guard child < end else { return nil }
                node = child
            } else {
                guard let next = tape.member(step, of: node, in: text) else { return nil }
                node = next
            }
        }
        return node
    }
}
