import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `The admin endpoint of a running bridge` {
    private static let asking = """
        import sys, urllib.error, urllib.request
        for question in sys.argv[2:]:
            path, accept = (question + " */*").split(" ")[:2]
            url = "http://127.0.0.1:" + sys.argv[1] + path
            request = urllib.request.Request(url, headers={"Accept": accept})
            try: reply = urllib.request.urlopen(request)
            except urllib.error.HTTPError as error: reply = error
            print(path, reply.status)
            print(reply.headers["Content-Type"])
            print(reply.read().decode())
        """

    private func ask(_ port: String, _ paths: String...) throws -> String {
        try ProviderProcess(Self.asking, [port] + paths, python: nil).finish()
    }

    private func control(_ socket: String, _ order: String) throws -> String {
        try AdminSocket.ask(socket, order)
    }

    private func settings(_ text: String, in world: BridgeWorld) throws -> String {
        let file = world.folder.appending(path: "process-settings")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    @Test func `serves the metrics of its pushes`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 2)
        let file = try settings("admin: {listen: '127.0.0.1:0'}", in: world)
        try world.publish(20)
        let bridge = try BridgeProcess(["run", "--settings", file, world.file], in: world.folder)
        try world.waitUntilCommitted(20, while: bridge)
        let port = try #require(
            bridge.logged.firstMatch(of: /admin endpoint listening host=\S+ port=(\d+)/)
        ).output.1
        var message = ""
        let end = Date(timeIntervalSinceNow: 60)
        let wanted = #"verdict="accepted",reason=""} 20"#
        while !message.contains(wanted) {
            try #require(Date() < end, "\(message)")
            waitBeforeNextLook()
            message = try ask(String(port), "/health", "/ready", "/status", "/metrics", "/nothing")
        }
        for line in ["/health 200", "/ready 200", "/status 200", "/metrics 200", "/nothing 404"] {
            #expect(message.contains(line + "\n"))
        }
        #expect(message.contains(#""accepted":20"#))
        #expect(message.contains("text/plain; version=0.0.4") && !message.contains("# EOF"))
        let open = try ask(String(port), "/metrics application/openmetrics-text")
        #expect(open.contains("application/openmetrics-text; version=1.0.0; charset=utf-8\n"))
        #expect(open.contains("# TYPE apns_bridge_pushes counter\n") && open.contains("# EOF\n"))
        #expect(bridge.terminate() == 0)
    }

    @Test func `pauses, resumes and reloads connectors on a Unix domain socket`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 1)
        let socket = world.folder.appending(path: "admin.sock").path
        let file = try settings("admin: {listen: 'unix:admin.sock'}", in: world)
        let bridge = try BridgeProcess(
            ["run", "--settings", file, world.folder.path], in: world.folder)
        try world.publish(5)
        try world.waitUntilCommitted(5, while: bridge)
        #expect(try control(socket, "POST /connectors/events/pause").hasPrefix("200 "))
        try world.publish(5)
        #expect(try control(socket, "GET /status").contains(#""name":"events","state":"running","#))
        let unknown = try control(socket, "POST /connectors/event/pause")
        #expect(unknown.hasPrefix("404 ") && unknown.contains("did you mean 'events'"))
        #expect(try control(socket, "POST /connectors/events/resume").hasPrefix("200 "))
        try world.waitUntilCommitted(10, while: bridge)

        let text = try String(contentsOfFile: world.file, encoding: .utf8)
        let copy = world.folder.appending(path: "copy.yaml")
        try text.replacing("group: \(world.group)", with: "group: \(world.group)-copy")
            .write(to: copy, atomically: true, encoding: .utf8)
        let added = try control(socket, "POST /reload")
        #expect(added.contains(#"{"connector":"copy","change":"added"}"#), "\(added)")
        #expect(added.contains(#"{"connector":"events","change":"unchanged"}"#))
        try "nothing: here".write(to: copy, atomically: true, encoding: .utf8)
        let refused = try control(socket, "POST /reload")
        #expect(refused.hasPrefix("422 "), "\(refused)")
        #expect(refused.contains("unknown key 'nothing'"), "\(refused)")
        try FileManager.default.removeItem(at: copy)
        let removed = try control(socket, "POST /reload")
        #expect(removed.contains(#"{"connector":"copy","change":"removed"}"#), "\(removed)")
        try text.appending("\nworkers: 2\n").write(
            toFile: world.file, atomically: true, encoding: .utf8)
        #expect(
            try control(socket, "POST /reload").contains(
                #"{"connector":"events","change":"changed"}"#))
        try world.publish(5)
        try world.waitUntilCommitted(15, while: bridge)
        #expect(bridge.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func `reports the line of a port that is in use`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 1)
        let first = try settings("admin: {listen: '127.0.0.1:0'}", in: world)
        let bridge = try BridgeProcess(["run", "--settings", first, world.file], in: world.folder)
        let end = Date(timeIntervalSinceNow: 60)
        var port = ""
        while port.isEmpty {
            try #require(Date() < end && bridge.isRunning, "\(bridge.logged)")
            waitBeforeNextLook()
            port =
                bridge.logged.firstMatch(of: /admin endpoint listening host=\S+ port=(\d+)/)
                .map { String($0.output.1) } ?? ""
        }
        let file = try settings("admin: {listen: '127.0.0.1:\(port)'}", in: world)
        let second = try BridgeProcess(
            ["run", "--settings", file, world.file], in: world.folder, name: "second")
        #expect(second.wait() == 69)
        #expect(
            second.logged.contains(
                "\(file):1:17: error: cannot listen on 127.0.0.1:\(port): address already in use"))
        #expect(bridge.terminate() == 0)
    }
}
