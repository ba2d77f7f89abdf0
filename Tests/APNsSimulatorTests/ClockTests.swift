import Synchronization
import Testing

@testable import APNsSimulator

@Suite struct `The simulator's clock` {
    /// A clock that tests set.
    private final class Time: Sendable {
        let milliseconds = Atomic<Int64>(JudgeFixture.now)
    }

    @Test func `lets a stored push expire by the time of its judgement`() throws {
        let time = Time()
        var configuration = SimulatorConfiguration(identity: try ScenarioStage.identity.get())
        configuration.clock = { time.milliseconds.load(ordering: .relaxed) }
        let server = SimulatorServer(configuration)
        try server.report(DeviceHarness.token, .online(false))
        let expiration = String(JudgeFixture.now / 1000 + 10)
        server.memory?.note(
            JudgedRequest(
                arrivedAt: JudgeFixture.now,
                fields: [
                    (":path", "/3/device/" + DeviceHarness.token),
                    ("apns-topic", "com.example.app"),
                    ("apns-expiration", expiration),
                ].map { ([UInt8]($0.utf8), [UInt8]($1.utf8)) },
                body: [UInt8](#"{"aps":{"alert":"Hello"}}"#.utf8), judgement: .accepted,
                identifier: [UInt8](JudgeFixture.identifier.utf8)))
        #expect(try server.device(DeviceHarness.token)?.pushes.map(\.state) == [.stored])
        time.milliseconds.add(10_001, ordering: .relaxed)
        #expect(try server.device(DeviceHarness.token)?.pushes.map(\.state) == [.expired])
        try server.report(DeviceHarness.token, .online(true))
        #expect(try server.notifications(on: DeviceHarness.token).isEmpty)
    }
}
