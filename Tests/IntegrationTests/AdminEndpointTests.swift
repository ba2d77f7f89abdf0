import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `The admin endpoint of a running bridge` {
    private static let asking = """
        import sys, urllib.error, urllib.request
        for path in sys.argv[2:]:
            try:
                reply = urllib.request.urlopen("http://127.0.0.1:" + sys.argv[1] + path)
            except urllib.error.HTTPError as error: reply = error
            print(path, reply.status)
            print(reply.read().decode())
        """

    private func ask(_ port: String, _ paths: String...) throws -> String {
        try ProviderProcess(Self.asking, [port] + paths, python: nil).finish()
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
        var words = ""
        let end = Date(timeIntervalSinceNow: 60)
        let wanted = #"verdict="accepted",reason=""} 20"#
        while !words.contains(wanted) {
            try #require(Date() < end, "\(words)")
            words = try ask(String(port), "/health", "/ready", "/status", "/metrics", "/nothing")
        }
        for line in ["/health 200", "/ready 200", "/status 200", "/metrics 200", "/nothing 404"] {
            #expect(words.contains(line + "\n"))
        }
        #expect(words.contains(#""accepted":20"#))
        #expect(bridge.terminate() == 0)
    }

    @Test func `reports the line of a port that is in use`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 1)
        let first = try settings("admin: {listen: '127.0.0.1:0'}", in: world)
        let bridge = try BridgeProcess(["run", "--settings", first, world.file], in: world.folder)
        let end = Date(timeIntervalSinceNow: 60)
        var port = ""
        while port.isEmpty {
            try #require(Date() < end && bridge.isRunning, "\(bridge.logged)")
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
