import APNsSimulator
import Foundation
import Testing

@Suite struct `The guide's example in Swift` {
    @Test func `shows what a device showed`() throws {
        let token = String(repeating: "ab", count: 32)
        let identity = try SimulatorIdentity.generate()
        let simulator = SimulatorServer(SimulatorConfiguration(identity: identity))
        let port = try simulator.start()
        // Push to localhost:port; trust identity.authorityPEM.
        #expect(port > 0)
        simulator.memory?.note(
            JudgedRequest(
                arrivedAt: Int64(Date().timeIntervalSince1970 * 1000),
                fields: [(":path", "/3/device/" + token), ("apns-topic", "com.example.app")]
                    .map { ([UInt8]($0.0.utf8), [UInt8]($0.1.utf8)) },
                body: [UInt8](#"{"aps":{"alert":{"title":"Your order has shipped"}}}"#.utf8),
                judgement: .accepted, identifier: []))
        let shown = try simulator.notifications(on: token)
        #expect(shown.map(\.title) == ["Your order has shipped"])
        simulator.stop()
    }

    @Test func `is run here line by line`() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = String(
            decoding: try Data(
                contentsOf: root.appending(path: "Sources/APNsSimulator/README.md")),
            as: UTF8.self)
        let example = try #require(guide.split(separator: "```swift\n").dropFirst().first)
            .split(separator: "```")[0]
        var source = String(decoding: try Data(contentsOf: here), as: UTF8.self)[...]
        for line in example.split(separator: "\n") {
            let position = source.range(of: line)
            #expect(position != nil, "\(line)")
            if let position { source = source[position.upperBound...] }
        }
    }
}
