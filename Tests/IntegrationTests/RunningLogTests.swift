import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `The log of a bridge whose Kafka goes away` {
    @Test func `has one line when it goes and one when it is back, and adds up at the end`()
        throws
    {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2)
        let settings = world.folder.appending(path: "process-settings")
        try "log: {summary: 1s}".write(to: settings, atomically: true, encoding: .utf8)
        try world.publish(20)
        let bridge = try BridgeProcess(
            ["run", "--settings", settings.path, world.file], in: world.folder)
        try world.waitUntilCommitted(20, while: bridge)
        try bridge.waitUntilLogged("info summary accepted=")
        cluster.setBrokerDown(1)
        try bridge.waitUntilLogged("error Kafka unreachable; 0 of 1 brokers")
        cluster.setBrokerUp(1)
        try bridge.waitUntilLogged("info Kafka reachable again")
        try world.publish(20)
        try world.waitUntilCommitted(40, while: bridge)
        #expect(bridge.terminate() == 0)
        let lines = bridge.logged.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.contains("Kafka unreachable") } == 1)
        // The line about the outage may end with the words of the last attempt to connect, and that
        // about the start names the library.
        let ofLibrary = lines.filter {
            $0.contains("librdkafka") && !$0.contains("info starting ")
                || $0.contains("Connect to") && !$0.contains("Kafka unreachable")
        }
        #expect(ofLibrary == [])
        let total = try #require(lines.first { $0.contains("total since the start") })
        #expect(total.contains("accepted=40"), "\(total)")
        #expect(total.contains("left_uncommitted=0 pushes=40"), "\(total)")
        #expect(total.contains("taken=40"), "\(total)")
        #expect(lines.last?.contains("info stopped") == true)
    }
}
