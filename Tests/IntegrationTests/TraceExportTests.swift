import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `A running bridge with a collector of traces` {
    /// A collector as a process of its own; what it prints goes to a file.
    private final class CollectorProcess {
        /// A collector that responds with 503 once, prints spans, and checks their form.
        static let collecting = """
            import http.server, json, re, sys
            class Collector(http.server.BaseHTTPRequestHandler):
                refused = False
                def do_POST(self):
                    body = self.rfile.read(int(self.headers["content-length"]))
                    status = 200 if Collector.refused else 503
                    Collector.refused = True
                    self.send_response(status)
                    self.send_header("content-length", "0")
                    self.end_headers()
                    if status == 503: return
                    for resource in json.loads(body)["resourceSpans"]:
                        for scope in resource["scopeSpans"]:
                            for span in scope["spans"]:
                                assert re.fullmatch("[0-9a-f]{32}", span["traceId"])
                                assert re.fullmatch("[0-9a-f]{16}", span["spanId"])
                                known = {a["key"]: list(a["value"].values())[0]
                                    for a in span["attributes"]}
                                print(span["name"].split(" ")[0], span["traceId"],
                                    span.get("parentSpanId", "-"),
                                    known.get("http.response.status_code", "-"),
                                    "apns.stream" in known, flush=True)
                def log_message(self, *words): pass
            server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Collector)
            print("port", server.server_port, flush=True)
            server.serve_forever()
            """

        private let process = Process()
        private let output: URL

        init(in folder: URL, port: String = "0") throws {
            let script = folder.appending(path: "collector.py")
            try Self.collecting.write(to: script, atomically: true, encoding: .utf8)
            output = folder.appending(path: "collector.log")
            try Data().write(to: output)
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", script.path, port]
            process.standardOutput = try FileHandle(forWritingTo: output)
            try process.run()
        }

        deinit {
            // The thread that started it may have blocked SIGTERM, which it then inherits.
            _ = Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        var lines: [String] {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        /// The lines, once `isEnough` of them.
        func lines(until isEnough: ([String]) -> Bool) throws -> [String] {
            let end = Date(timeIntervalSinceNow: 60)
            while !isEnough(lines) {
                try #require(Date() < end, "\(lines)")
                waitBeforeNextLook()
            }
            return lines
        }
    }

    private func settings(_ text: String, in world: BridgeWorld) throws -> String {
        let file = world.folder.appending(path: "process-settings")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    @Test func `exports the spans of every push, the last ones when it stops`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 2)
        let collector = try CollectorProcess(in: world.folder)
        let first = try #require(try collector.lines { !$0.isEmpty }.first)
        let port = try #require(first.split(separator: " ").last)
        let file = try settings(
            "telemetry: {otlp: 'http://127.0.0.1:\(port)', sample: 1}", in: world)
        try world.publish(20)
        let bridge = try BridgeProcess(["run", "--settings", file, world.file], in: world.folder)
        try world.waitUntilCommitted(20, while: bridge)
        #expect(bridge.terminate() == 0)
        let spans = collector.lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
        #expect(spans.count == 80, "\(bridge.logged)")
        for name in ["receive", "map", "send", "outcome"] {
            #expect(spans.count { $0[0] == name } == 20)
        }
        #expect(Set(spans.map { $0[1] }).count == 20)
        #expect(spans.filter { $0[2] == "-" }.allSatisfy { $0[0] == "receive" })
        #expect(spans.filter { $0[0] == "send" }.allSatisfy { $0[3] == "200" && $0[4] == "True" })
        #expect(bridge.logged.contains("traces exported again"))
    }

    @Test func `sends pushes and stops while the collector is away`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 1)
        let file = try settings(
            "telemetry: {otlp: 'http://127.0.0.1:1/v1/traces', sample: 1}", in: world)
        try world.publish(50)
        let bridge = try BridgeProcess(["run", "--settings", file, world.file], in: world.folder)
        try world.waitUntilCommitted(50, while: bridge)
        #expect(bridge.terminate() == 0)
        #expect(bridge.logged.contains("traces not exported; pushes continue"))
    }
}
