import Delivery
import EventLoop
import Foundation
import Kafka
import Testing

/// A bridge that has nothing to do, with each option of `bridge.yaml`.
@Suite(.serialized) struct `An idle bridge` {
    private static let options = [
        "log: {level: debug, format: json, summary: 1s}",
        "admin: {listen: \"127.0.0.1:0\", host_names: [bridge.test]}",
        "admin: {listen: \"unix:admin.sock\"}",
        "telemetry: {labels: [campaign]}",
        "telemetry: {otlp: \"http://127.0.0.1:9/v1/traces\", sample: 1}",
    ]

    /// Processor time is counted, not how long something takes: a busy machine only makes it less.
    @Test(arguments: options)
    func `uses next to no processor time`(option: String) throws {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2)
        let settings = world.folder.appending(path: "process-settings")
        try option.write(to: settings, atomically: true, encoding: .utf8)
        try world.publish(20)
        let bridge = try BridgeProcess(
            ["run", "--settings", settings.path, world.file], in: world.folder)
        try world.waitUntilCommitted(20, while: bridge)
        var kernel = try LinuxKernel(capacity: 1)
        func pass(_ time: Duration) {
            let end = kernel.now + time
            while kernel.now < end { kernel.wait(until: end) { _ in } }
        }
        // Until what the last pushes left is done.
        pass(.seconds(2))
        let before = bridge.processorTicks
        pass(.seconds(5))
        let used = bridge.processorTicks - before
        // Of the 500 that a core has in this time.
        #expect(used < 50, "\(used) ticks")
        #expect(bridge.terminate() == 0)
    }
}
