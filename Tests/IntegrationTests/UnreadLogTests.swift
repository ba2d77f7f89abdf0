import Foundation
import Kafka
import Testing

/// Standard error is a pipe, and nobody reads it.
@Suite(.serialized) struct `A bridge whose log nobody reads` {
    @Test func `sends everything, and stops on SIGTERM`() throws {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2)
        try world.publish(3000)
        // It holds 64 KiB, much less than the log.
        let pipe = Pipe()
        let bridge = try BridgeProcess(
            ["run", "--log-level", "trace", world.file], in: world.folder,
            errors: pipe.fileHandleForWriting)
        try world.waitUntilCommitted(3000, while: bridge)
        #expect(bridge.terminate() == 0)
    }

    @Test func `says how many lines were lost once it is read again`() throws {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2)
        try world.publish(6000)
        let pipe = Pipe()
        let bridge = try BridgeProcess(
            ["run", "--log-level", "trace", "--log-format", "json", world.file],
            in: world.folder, errors: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        try world.waitUntilCommitted(6000, while: bridge)
        var text = ""
        while !text.contains("log lines lost") {
            let data = pipe.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the log ended")
            text += String(decoding: data, as: UTF8.self)
        }
        let line = try #require(text.split(separator: "\n").last { $0.contains("log lines lost") })
        #expect(line.contains(#""level":"warning""#), "\(line)")
        #expect(line.contains(#""lines":"#), "\(line)")
        pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        #expect(bridge.terminate() == 0)
        pipe.fileHandleForReading.readabilityHandler = nil
    }
}
