import APNsSimulator
import Foundation
import Kafka
import TLS
import Testing

/// A bridge at work, whose key is replaced.
private struct Rotation {
    static let keyID = "ROTATED123"
    let world: BridgeWorld
    let bridge: BridgeProcess
    let key: SigningKey

    /// Starts a bridge, and lets it send something.
    init(_ cluster: BridgeWorld.Cluster) throws {
        key = try SigningKey.generate()
        let other = ProviderKey(
            keyID: Self.keyID, teamID: "SIMULATEAM", key: try key.publicKey)
        world = try BridgeWorld(cluster, partitions: 2, furtherKeys: [other])
        try world.publish(200)
        bridge = try world.start()
        try world.waitUntilCommitted(200, while: bridge)
    }

    /// Writes a key, and a connector that names it with another identifier.
    func replaceKey(by pem: [UInt8]) throws {
        try Data(pem).write(to: world.folder.appending(path: "NewKey.p8"))
        let lines = try String(contentsOfFile: world.file, encoding: .utf8)
            .replacing("${file:AuthKey.p8}", with: "${file:NewKey.p8}")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("  key_id:") ? "  key_id: \(Self.keyID)" : String($0) }
        try lines.joined(separator: "\n")
            .write(toFile: world.file, atomically: true, encoding: .utf8)
    }

    /// Keeps events coming until the log says something.
    func publish(until message: String) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while !bridge.logged.contains(message) {
            try #require(Date() < end, "it does not say '\(message)': \(bridge.logged)")
            waitBeforeNextLook()
            try world.publish(50)
            try world.waitUntilCommitted(world.published, while: bridge)
        }
    }

    /// Sends more, stops the bridge, and checks that every push was accepted.
    func expectNoFailedPush() throws {
        try world.publish(200)
        try world.waitUntilCommitted(world.published, while: bridge)
        #expect(bridge.terminate() == 0)
        try BridgePromises.expectOneOutcomeEach(world)
        #expect(Set(try world.readOutcomes().map(\.verdict)) == ["accepted"])
    }
}

/// The same on a real Kafka and on the embedded one.
private func takesOverNewKey(_ cluster: BridgeWorld.Cluster) throws {
    let rotation = try Rotation(cluster)
    try rotation.replaceKey(by: rotation.key.privateKeyPEM)
    try rotation.publish(until: "now using the new credential")
    try rotation.expectNoFailedPush()
}

@Suite(.serialized) struct `A bridge whose key is replaced while it runs` {
    @Test func `continues with the current key if the new one is not valid, and logs why`() throws {
        let rotation = try Rotation(.embedded(EmbeddedCluster()))
        try rotation.replaceKey(by: Array("garbage".utf8))
        try rotation.publish(
            until: "new credential is not usable; continuing with the current one")
        try rotation.expectNoFailedPush()
    }

    @Test func `continues with the current key if APNs rejects the new one`() throws {
        let rotation = try Rotation(.embedded(EmbeddedCluster()))
        try rotation.replaceKey(by: SigningKey.generate().privateKeyPEM)
        try rotation.publish(until: "continuing with the current credential")
        try rotation.expectNoFailedPush()
    }

    @Test func `resumes sending when a rejected key is replaced`() throws {
        let world = try BridgeWorld(.embedded(EmbeddedCluster()), partitions: 2)
        let file = world.folder.appending(path: "AuthKey.p8")
        let right = try Data(contentsOf: file)
        try Data(SigningKey.generate().privateKeyPEM).write(to: file)
        try world.publish(200)
        let bridge = try world.start()
        let end = Date(timeIntervalSinceNow: 60)
        while !bridge.logged.contains("sending suspended") {
            try #require(Date() < end, "it is not suspended: \(bridge.logged)")
            waitBeforeNextLook()
            #expect(try world.committed() == 0)
        }
        try right.write(to: file, options: .atomic)
        try world.waitUntilCommitted(200, seconds: 60, while: bridge)
        #expect(bridge.terminate() == 0)
        #expect(bridge.logged.contains("now using the new credential"))
        #expect(bridge.logged.contains("APNs accepts pushes again; sending resumed"))
        try BridgePromises.expectOneOutcomeEach(world)
        #expect(Set(try world.readOutcomes().map(\.verdict)) == ["accepted"])
    }

    @Test func `switches to the new key without a failed push`() throws {
        try takesOverNewKey(.embedded(EmbeddedCluster()))
    }

    @Test(RealKafka.available)
    func `switches to the new key without a failed push on a real Kafka`() throws {
        try takesOverNewKey(.real(RealKafka.shared()))
    }
}
